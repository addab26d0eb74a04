package org.hourstone.server;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/** The events of receiving requests over an HTTP connection, in order. */
sealed interface Received {
  /** Releases it if it is not handled. */
  default void release() {}

  /** The head of a request. It is followed by the body, whole or in parts, or by a refusal. */
  record Head(HttpRequest request) implements Received {}

  /**
   * A part of a large body. It is followed by further parts and finally a {@link Whole}, or by a
   * refusal.
   */
  record Part(HttpRequest request, ReceivedBody body) implements Received {
    @Override
    public void release() {
      body.release();
    }
  }

  /** The complete request; its body lacks the parts that preceded. */
  record Whole(HttpRequest request, ReceivedBody body) implements Received {
    @Override
    public void release() {
      body.release();
    }
  }

  /**
   * A request that can't be accepted. Nothing follows, because later bytes can't be distinguished
   * from its body.
   *
   * @param request its head if that has arrived
   * @param details more than the status says; may be empty
   */
  record Refused(HttpResponseStatus status, @Nullable HttpRequest request, String details)
      implements Received {}
}
