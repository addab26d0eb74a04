package org.hourstone.api.prometheus;

import io.airlift.compress.snappy.SnappyCompressor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.hourstone.api.request.ApiException;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are compressed piece by piece, so that only their compressed form is in memory. A
 * block of Snappy is its length and then such pieces, none of which refers to another. For one
 * thread.
 */
final class SnappyPieces {
  private static final int PIECE = 1 << 16;
  private static final int SMALL_PIECE = 1 << 10;

  /** Fields are at most that long, but for texts. */
  private static final int ROOM = 64;

  /** The largest length that a block can say. */
  private static final long MOST = 0xFFFF_FFFFL;

  /** Those of a compressor of Snappy. */
  private static final int TABLE_BYTES = 1 << 15;

  /** What is needed until the end, beside the compressed pieces, for each byte of a piece. */
  private static final int BUFFER_SIZE = 3;

  private final MemoryLease memory;
  private final MemoryLease buffers;
  private @Nullable Buffers open;
  private final List<byte[]> pieces = new ArrayList<>();
  private long length;

  private static final class Buffers {
    final SnappyCompressor compressor = new SnappyCompressor();
    final ProtoBytes plain;
    final byte[] compressed;

    Buffers(int piece) {
      plain = new ProtoBytes(piece);
      compressed = new byte[compressor.maxCompressedLength(piece)];
    }
  }

  private SnappyPieces(MemoryLease memory, int piece) {
    this.memory = memory;
    this.buffers = memory.child();
    buffers.grow(TABLE_BYTES + (long) BUFFER_SIZE * piece);
    this.open = new Buffers(piece);
  }

  /**
   * @param memory grows by what the compressed form takes, and by what is needed until the end
   */
  static SnappyPieces of(MemoryLease memory) {
    return new SnappyPieces(memory, PIECE);
  }

  /** As {@link #of}, for few bytes beside those of others that are added. */
  static SnappyPieces around(MemoryLease memory) {
    return new SnappyPieces(memory, SMALL_PIECE);
  }

  private Buffers open() {
    return Objects.requireNonNull(open, "has ended");
  }

  /** Where the next field is written, which must not be longer than {@link #ROOM}. */
  ProtoBytes field() {
    if (open().plain.room() < ROOM) {
      compress();
    }
    return open().plain;
  }

  /** Adds bytes of any number. */
  void put(byte[] bytes) {
    for (int from = 0; from < bytes.length; ) {
      ProtoBytes to = field();
      int end = Math.min(bytes.length, from + to.room());
      to.put(bytes, from, end);
      from = end;
    }
  }

  private void compress() {
    ProtoBytes plain = open().plain;
    int size = plain.size();
    if (size == 0) {
      return;
    }
    byte[] compressed = open().compressed;
    int end = open().compressor.compress(plain.bytes(), 0, size, compressed, 0, compressed.length);
    int begin = ProtoBytes.varintLength(size); // the length of this piece
    memory.grow(end - begin);
    pieces.add(Arrays.copyOfRange(compressed, begin, end));
    length += size;
    plain.clear();
  }

  /** How many bytes were added. */
  long length() {
    return length + (open == null ? 0 : open.plain.size());
  }

  /** Adds those of another, which has ended. */
  void add(SnappyPieces other) {
    compress();
    pieces.addAll(other.pieces);
    length += other.length;
  }

  /**
   * Nothing may be added later.
   *
   * @throws ApiException if there are more bytes than a block can have
   */
  void end() {
    compress();
    open = null;
    buffers.close();
    if (length > MOST) {
      throw new ApiException(
          ApiException.TOO_LARGE,
          "Request Entity Too Large",
          "the response has " + length + " bytes, more than 4 GiB: narrow the range or matchers");
    }
  }

  /** Writes the block. */
  void writeTo(OutputStream out) throws IOException {
    ProtoBytes head = new ProtoBytes(ProtoBytes.MOST_HEAD);
    head.varint(length);
    out.write(head.bytes(), 0, head.size());
    for (byte[] piece : pieces) {
      out.write(piece);
    }
  }
}
