package org.hourstone.mirror;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** A response's body in memory, up to a limit. For one response. */
public final class BoundedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private final long limit;
  private long received;
  private @Nullable Subscription subscription;

  private BoundedBody(long limit) {
    this.limit = limit;
  }

  /** Fails with an IOException if there are more bytes than this. */
  public static BodyHandler<byte[]> upTo(long limit) {
    return head -> new BoundedBody(limit);
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return bytes.getBody();
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    bytes.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> some) {
    for (ByteBuffer each : some) {
      received += each.remaining();
    }
    if (received <= limit) {
      bytes.onNext(some);
    } else if (subscription != null) {
      subscription.cancel();
      onError(new IOException("the response has more than " + limit + " bytes"));
    }
  }

  @Override
  public void onError(Throwable e) {
    bytes.onError(e);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }
}
