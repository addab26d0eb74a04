package org.hourstone.api.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.airlift.compress.snappy.SnappyCompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Any block of Snappy is decompressed as its format says, or refused as malformed. */
class SnappyBlockFuzzTest {
  private static final int MOST = 1 << 16;

  @FuzzTest(maxExecutions = 100_000)
  void blocksAreDecompressedOrRefused(byte @NotNull [] block) {
    byte[] plain;
    try {
      long length = SnappyBlock.length(block);
      if (length > MOST) {
        return; // the server has a limit, too
      }
      plain = new byte[(int) length];
      SnappyBlock.decompress(block, plain);
    } catch (IOException e) {
      assertThat(e.getMessage()).isNotEmpty();
      assertThat(byTheFormat(block)).isNull();
      return;
    }
    assertThat(plain).isEqualTo(byTheFormat(block));
  }

  @Test
  void changedBlocksAreDecompressedOrRefused() {
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      byte[] plain = new byte[random.nextInt(300)];
      for (int i = 0; i < plain.length; i++) {
        boolean isRepeated = i > 8 && random.nextInt(4) > 0;
        plain[i] = isRepeated ? plain[i - 8] : (byte) random.nextInt();
      }
      byte[] block = compressed(plain);
      assertThat(byTheFormat(block)).isEqualTo(plain);
      for (int k = random.nextInt(3); k > 0; k--) {
        block[random.nextInt(block.length)] = (byte) random.nextInt();
      }
      blocksAreDecompressedOrRefused(Arrays.copyOf(block, block.length - random.nextInt(2)));
    }
  }

  private static byte[] compressed(byte[] plain) {
    SnappyCompressor snappy = new SnappyCompressor();
    byte[] block = new byte[snappy.maxCompressedLength(plain.length)];
    return Arrays.copyOf(block, snappy.compress(plain, 0, plain.length, block, 0, block.length));
  }

  /** The content of a block, read in the simplest way; null if it is malformed. */
  private static byte @Nullable [] byTheFormat(byte[] block) {
    ByteBuffer in = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long length = 0;
    for (int shift = 0; ; shift += 7) {
      if (!in.hasRemaining() || shift > 28) {
        return null;
      }
      byte next = in.get();
      length |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        break;
      }
    }
    while (in.hasRemaining()) {
      int tag = in.get() & 0xFF;
      if ((tag & 3) == 0) {
        long size = literalSize(tag >> 2, in);
        if (size < 0 || size > in.remaining()) {
          return null;
        }
        byte[] literal = new byte[(int) size];
        in.get(literal);
        out.writeBytes(literal);
      } else if (!copy(tag, in, out)) {
        return null;
      }
      if (out.size() > length) {
        return null;
      }
    }
    return out.size() == length ? out.toByteArray() : null;
  }

  /** Negative if its bytes are missing. */
  private static long literalSize(int code, ByteBuffer in) {
    int more = code - 59;
    return more <= 0 ? code + 1 : number(more, in) + 1;
  }

  private static boolean copy(int tag, ByteBuffer in, ByteArrayOutputStream out) {
    boolean isShort = (tag & 3) == 1;
    int size = isShort ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    long distance = number(isShort ? 1 : (tag & 3) == 2 ? 2 : 4, in);
    if (isShort && distance >= 0) {
      distance |= (tag >> 5) << 8;
    }
    if (distance <= 0 || distance > out.size()) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      out.write(out.toByteArray()[out.size() - (int) distance]);
    }
    return true;
  }

  /** Of some bytes, the lowest first; very negative if they are missing. */
  private static long number(int bytes, ByteBuffer in) {
    if (in.remaining() < bytes) {
      return Long.MIN_VALUE;
    }
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (in.get() & 0xFFL) << (8 * i);
    }
    return number;
  }
}
