package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.hourstone.api.prometheus.SnappyBlock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, or a part of it, while it is received and handled. Its bytes are counted
 * in {@link ClientMemory} from their arrival until it is released, and so are its decompressed
 * bytes. For one thread at a time: the connection's thread, then that of the request, then the
 * connection's again.
 */
final class ReceivedBody {
  /** The encoding of {@link SnappyBlock}. */
  static final String SNAPPY = "snappy";

  private static final int PART = 32 * 1024;

  /**
   * The memory of a byte of a body once it is handled, with all that is made of it at the same
   * time: text, values, what is stored and the response.
   */
  private static final int HANDLED_SIZE = 8;

  /**
   * The approximate memory of a value, member or container of parsed JSON beside its text, and of
   * an element of a list, a formula or a pattern within a text.
   */
  private static final int VALUE_BYTES = 150;

  /** Of JSON, query strings, lists, formulas, filters and regular expressions. */
  private static final boolean[] SEPARATORS = new boolean[128];

  static {
    for (char each : "{[(,:;&|=%+-*/.?^$<>!".toCharArray()) {
      SEPARATORS[each] = true;
    }
  }

  /** Fewer bytes of what is made of a body are not counted. */
  private static final int FEW = 16 * 1024;

  /** A body of at most this size, received and decompressed, may use what large ones can't. */
  static final int SMALL = 64 * 1024;

  private final ClientMemory memory;
  private final int max;
  private long taken;

  /** What it is taken from: the share for large bodies from the moment when it is one. */
  private ClientMemory from;

  private Pieces bytes = new Pieces();

  /**
   * @param max the maximum number of bytes of a body, both received and decompressed
   */
  ReceivedBody(ClientMemory memory, int max) {
    this.memory = memory;
    this.from = memory;
    this.max = max;
  }

  private boolean take(long more) {
    ClientMemory large = memory.ofLarge();
    if (from == large || taken + more <= SMALL) {
      if (!from.take(more)) {
        return false;
      }
    } else {
      if (!large.take(taken + more)) {
        return false;
      }
      from.release(taken);
      from = large;
    }
    taken += more;
    return true;
  }

  /** A body that can't be used. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;
    private final String details;

    private RefusedException(HttpResponseStatus status, String details) {
      super(details);
      this.status = status;
      this.details = details;
    }

    static RefusedException tooLarge(int max) {
      return new RefusedException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "the body has more than " + max + " bytes (hourstone.http.max_body_bytes)");
    }

    static RefusedException tooLargeToHandle(long bytes, long most) {
      return new RefusedException(
          HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
          "the request needs "
              + bytes
              + " bytes of memory, more than "
              + most
              + ": divide it, or increase the heap");
    }

    static RefusedException noRoom() {
      return new RefusedException(
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "there is no room for the request; try again in a second");
    }

    static RefusedException compressedWrongly(IOException e) {
      return new RefusedException(
          HttpResponseStatus.BAD_REQUEST,
          "the body can't be decompressed" + (e.getMessage() == null ? "" : ": " + e.getMessage()));
    }

    HttpResponseStatus status() {
      return status;
    }

    String details() {
      return details;
    }
  }

  /** Adds a part; returns the refusal if it can't be accepted. */
  @Nullable RefusedException add(ByteBuf part) {
    int length = part.readableBytes();
    if (bytes.length() + length > max) {
      return RefusedException.tooLarge(max);
    }
    if (!take(length)) {
      return RefusedException.noRoom();
    }
    bytes.add(part);
    return null;
  }

  /** The number of bytes received. */
  long length() {
    return taken;
  }

  /**
   * The decompressed bytes of the body, whose points are handled one by one; may be called once.
   * The received bytes are dropped, but the memory stays reserved while the result is used, and so
   * is that of what is made of it. Must not be called on a network thread, since a small body may
   * be decompressed to a large one.
   *
   * @param encoding the header Content-Encoding; encodings other than gzip, deflate and snappy are
   *     left unchanged
   * @throws RefusedException if the compressed data is invalid, the body is too large, or there is
   *     no room for what is made of it
   */
  byte[] takePlain(@Nullable String encoding) throws RefusedException {
    byte[] plain = plain(encoding);
    // Points need less if there are few of them: a body that has fitted is not too large to handle.
    reserve(Math.min((long) HANDLED_SIZE * plain.length, memory.ofLarge().size() / 2));
    return plain;
  }

  /**
   * As {@link #takePlain}, for JSON whose values are all parsed at once: small ones need up to
   * fifty times the memory of their text.
   */
  byte[] takeParsed(@Nullable String encoding) throws RefusedException {
    byte[] plain = plain(encoding);
    reserve((long) HANDLED_SIZE * plain.length + VALUE_BYTES * values(plain));
    return plain;
  }

  private byte[] plain(@Nullable String encoding) throws RefusedException {
    if (SNAPPY.equals(encoding)) {
      return decompressBlock();
    }
    if (PlainBytes.areCompressed(encoding)) {
      decompress(encoding);
    }
    ByteBuf all = bytes.take();
    try {
      return ByteBufUtil.getBytes(all);
    } finally {
      all.release();
    }
  }

  /**
   * Reserves the memory of what is made of the request's target: lists, names, filters and formulas
   * in it are handled as those of a body.
   *
   * @throws RefusedException if there is no room for it
   */
  void reserve(String target) throws RefusedException {
    if ((HANDLED_SIZE + VALUE_BYTES) * (long) target.length() > FEW) {
      byte[] text = target.getBytes(StandardCharsets.ISO_8859_1);
      reserve((long) HANDLED_SIZE * text.length + VALUE_BYTES * values(text));
    }
  }

  private void reserve(long handled) throws RefusedException {
    if (handled <= FEW) {
      return;
    }
    if (handled > memory.ofLarge().size()) {
      throw RefusedException.tooLargeToHandle(handled, memory.ofLarge().size());
    }
    if (!take(handled)) {
      throw RefusedException.noRoom();
    }
  }

  /** At least the number of values in a text of a request: what may separate them is counted. */
  private static long values(byte[] text) {
    long values = 0;
    for (byte each : text) {
      if (each >= 0 && SEPARATORS[each]) {
        values++;
      }
    }
    return values;
  }

  /**
   * The block says first how long its content is, which is not made before there is room for it.
   */
  private byte[] decompressBlock() throws RefusedException {
    ByteBuf all = bytes.take();
    try {
      byte[] block = ByteBufUtil.getBytes(all);
      if (block.length == 0) {
        return block;
      }
      long length = SnappyBlock.length(block);
      if (length > max) {
        throw RefusedException.tooLarge(max);
      }
      if (!take(length + block.length)) {
        throw RefusedException.noRoom();
      }
      byte[] plain = new byte[(int) length];
      SnappyBlock.decompress(block, plain);
      return plain;
    } catch (IOException e) {
      throw RefusedException.compressedWrongly(e);
    } finally {
      all.release();
    }
  }

  private void decompress(@Nullable String encoding) throws RefusedException {
    Pieces plain = new Pieces();
    try (PlainBytes in = new PlainBytes(encoding)) {
      in.add(takeBytes(), true);
      byte[] part = new byte[PART];
      for (int read = in.read(part); read >= 0; read = in.read(part)) {
        if (plain.length() + read > max) {
          throw RefusedException.tooLarge(max);
        }
        if (!take(read)) {
          throw RefusedException.noRoom();
        }
        plain.add(Unpooled.wrappedBuffer(part, 0, read));
      }
      bytes = plain;
    } catch (IOException e) {
      throw RefusedException.compressedWrongly(e);
    } finally {
      if (plain != bytes) {
        plain.release();
      }
    }
  }

  /**
   * The bytes, which the caller must release. Their memory stays reserved until this is released.
   */
  ByteBuf takeBytes() {
    return bytes.take();
  }

  /**
   * A body for the rest of the request's body of which this is a part; called before this part is
   * taken.
   */
  ReceivedBody next() {
    return new ReceivedBody(memory, max - bytes.length());
  }

  /** The memory that counts its bytes. */
  ClientMemory memory() {
    return memory;
  }

  /** Idempotent. */
  void release() {
    bytes.release();
    from.release(taken);
    taken = 0;
  }
}
