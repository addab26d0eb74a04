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
import org.hourstone.query.QueryLimitException;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * A JSON list of any length that takes little memory. Up to 1 MB of it is generated before the
 * first byte is sent, so that a failure until then still produces an error response. A longer list,
 * or one for which there is no memory, is generated from its beginning once more while it is
 * written. For one thread.
 */
public final class ListResponse implements ResponseBody {
  private static final int PREPARED_BYTES = 1 << 20;
  private static final int PIECE = 1 << 15;
  private static final int CAPACITY = 1 << 10;

  /** The buffer of the prepared part has twice its size, and is copied when it grows. */
  private static final int COPIES = 3;

  private final Supplier<String> head;
  private final Consumer<Consumer<Object>> elements;
  private final LongFunction<String> tail;
  private final @Nullable Elements prepared;
  private final MemoryLease memory;

  private ListResponse(
      Supplier<String> head,
      Consumer<Consumer<Object>> elements,
      LongFunction<String> tail,
      @Nullable Elements prepared,
      MemoryLease memory) {
    this.head = head;
    this.elements = elements;
    this.tail = tail;
    this.prepared = prepared;
    this.memory = memory;
  }

  /**
   * @param memory of the request
   * @param head the text before the list, generated after its prepared part
   * @param elements passes on the elements, as JSON; may be called twice
   * @param tail the text after the list, given the number of its elements
   */
  public static ApiResponse of(
      MemoryLease memory,
      Supplier<String> head,
      Consumer<Consumer<Object>> elements,
      LongFunction<String> tail) {
    MemoryLease held = memory.child();
    Elements prepared =
        new Elements(
            (json, more) -> {
              if (json.size() + more > PREPARED_BYTES || !grows(held, COPIES * (long) more)) {
                throw new LongList();
              }
            });
    try {
      elements.accept(prepared);
    } catch (LongList e) {
      held.close();
      return ApiResponse.streamed(new ListResponse(head, elements, tail, null, held));
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
    String before = head.get();
    return ApiResponse.streamed(new ListResponse(() -> before, elements, tail, prepared, held));
  }

  private static boolean grows(MemoryLease held, long bytes) {
    try {
      held.grow(bytes);
      return true;
    } catch (QueryLimitException full) {
      return false;
    }
  }

  /** As {@link #of(MemoryLease, Supplier, Consumer, LongFunction)}, only the list. */
  public static ApiResponse of(MemoryLease memory, Consumer<Consumer<Object>> elements) {
    return of(memory, () -> "", elements, count -> "");
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    out.write((head.get() + "[").getBytes(StandardCharsets.UTF_8));
    long count = prepared == null ? generate(out) : prepared.drainTo(out);
    out.write(("]" + tail.apply(count)).getBytes(StandardCharsets.UTF_8));
  }

  private long generate(OutputStream out) throws IOException {
    Elements written =
        new Elements(
            (json, more) -> {
              if (json.size() >= PIECE) {
                drain(json, out);
              }
            });
    try {
      elements.accept(written);
      return written.drainTo(out);
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
  public void close() {
    memory.close();
  }

  /** Makes room for more bytes. */
  private interface Room {
    void make(JsonBuffer json, int more);
  }

  /** Writes elements one after the other. */
  private static final class Elements implements Consumer<Object> {
    private final JsonBuffer json = new JsonBuffer(CAPACITY);
    private final Room room;
    private long count;

    Elements(Room room) {
      this.room = room;
    }

    @Override
    public void accept(Object element) {
      String text = Json.text(element);
      room.make(json, text.length() + 1);
      json.raw(count == 0 ? "" : ",").raw(text);
      count++;
    }

    /** Returns the number of elements. */
    long drainTo(OutputStream out) throws IOException {
      json.drainTo(out);
      return count;
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
