package org.hourstone.server;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;

/** What has been received over a connection of HTTP, in its order. */
sealed interface Received {
  /** It will not be handled. */
  default void release() {}

  /** The head of a request. Its body follows, whole or in parts, or a refusal. */
  record Head(HttpRequest request) implements Received {}

  /** A part of a large body. The rest follows, as {@link Whole} in the end, or a refusal. */
  record Part(HttpRequest request, ReceivedBody body) implements Received {
    @Override
    public void release() {
      body.release();
    }
  }

  /** The whole request, but for the parts of its body that were before. */
  record Whole(HttpRequest request, ReceivedBody body) implements Received {
    @Override
    public void release() {
      body.release();
    }
  }

  /**
   * A request that can't be taken. Nothing follows: what does can't be distinguished from its body.
   */
  record Refused(HttpResponseStatus status) implements Received {}
}
