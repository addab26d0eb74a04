package org.hourstone.api.endpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.Json;
import org.hourstone.internal.JsonBuffer;

/**
 * A JSON list of any length that takes little memory. Up to 1 MB of it is generated before the
 * first byte is sent, so that a failure until then still produces an error response. A longer list
 * is generated from its beginning once more while it is written. For one thread.
 */
public final class ListResponse implements ResponseBody {
  private static final int PREPARED_BYTES = 1 << 20;
  private static final int CAPACITY = 1 << 16;

  private final Supplier<String> head;
  private final Consumer<Consumer<Object>> elements;
  private final LongFunction<String> tail;

  private ListResponse(
      Supplier<String> head, Consumer<Consumer<Object>> elements, LongFunction<String> tail) {
    this.head = head;
    this.elements = elements;
    this.tail = tail;
  }

  /**
   * @param head the text before the list, generated after its prepared part
   * @param elements passes on the elements, as JSON; may be called twice
   * @param tail the text after the list, given the number of its elements
   */
  public static ApiResponse of(
      Supplier<String> head, Consumer<Consumer<Object>> elements, LongFunction<String> tail) {
    Elements prepared =
        new Elements(
            json -> {
              if (json.size() > PREPARED_BYTES) {
                throw new LongList();
              }
            });
    try {
      elements.accept(prepared);
    } catch (LongList e) {
      return ApiResponse.streamed(new ListResponse(head, elements, tail));
    }
    String list = new String(prepared.json.toByteArray(), StandardCharsets.UTF_8);
    return new ApiResponse(
        ApiResponse.OK, head.get() + "[" + list + "]" + tail.apply(prepared.count));
  }

  /** As {@link #of(Supplier, Consumer, LongFunction)}, only the list. */
  public static ApiResponse of(Consumer<Consumer<Object>> elements) {
    return of(() -> "", elements, count -> "");
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    Elements written =
        new Elements(
            json -> {
              if (json.size() >= CAPACITY / 2) {
                drain(json, out);
              }
            });
    written.json.raw(head.get()).raw('[');
    try {
      elements.accept(written);
      written.json.raw(']').raw(tail.apply(written.count));
      drain(written.json, out);
    } catch (ClientFailure e) {
      throw e.failure;
    }
  }

  private static void drain(JsonBuffer json, OutputStream out) {
    try {
      json.drainTo(out);
    } catch (IOException e) {
      throw new ClientFailure(e);
    }
  }

  @Override
  public void close() {}

  /** Writes elements one after the other. */
  private static final class Elements implements Consumer<Object> {
    private final JsonBuffer json = new JsonBuffer(CAPACITY);
    private final Consumer<JsonBuffer> afterEach;
    private long count;

    Elements(Consumer<JsonBuffer> afterEach) {
      this.afterEach = afterEach;
    }

    @Override
    public void accept(Object element) {
      json.raw(count == 0 ? "" : ",").raw(Json.text(element));
      count++;
      afterEach.accept(json);
    }
  }

  /** More elements than can be prepared. */
  private static final class LongList extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LongList() {
      super(null, null, false, false);
    }
  }

  /** The client's stream failed. */
  private static final class ClientFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final IOException failure;

    ClientFailure(IOException failure) {
      super(failure);
      this.failure = failure;
    }
  }
}
