package org.hourstone.api.prometheus;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.IOException;

/** Snappy's block format, which Prometheus compresses requests with. */
public final class SnappyBlock {
  private static final int MOST_VARINT = 5;

  private SnappyBlock() {}

  /**
   * How many bytes a block has when it is decompressed, as it says itself.
   *
   * @param block its first bytes suffice
   * @throws IOException if it doesn't begin as a block does
   */
  public static long length(byte[] block) throws IOException {
    long length = 0;
    for (int i = 0; i < Math.min(MOST_VARINT, block.length); i++) {
      length |= (long) (block[i] & 0x7F) << (7 * i);
      if (block[i] >= 0) {
        if (length >>> Integer.SIZE != 0) {
          break;
        }
        return length;
      }
    }
    throw new IOException("it does not begin with its length");
  }

  /**
   * Decompresses a block.
   *
   * @param plain has exactly the {@linkplain #length length} that the block says
   * @throws IOException if the block is malformed, or has another length
   */
  public static void decompress(byte[] block, byte[] plain) throws IOException {
    try {
      int length =
          new SnappyDecompressor().decompress(block, 0, block.length, plain, 0, plain.length);
      if (length != plain.length) {
        throw new IOException("it has " + length + " bytes, not " + plain.length + " as it says");
      }
    } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("malformed at byte " + offset(e), e);
    }
  }

  private static String offset(RuntimeException e) {
    return e instanceof MalformedInputException malformed
        ? Long.toString(malformed.getOffset())
        : "?";
  }
}
