package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {
  private final Pieces pieces = new Pieces();

  @Test
  void manyBytesAreHeldInSmallPieces() {
    Random random = new Random(1);
    ByteArrayOutputStream added = new ByteArrayOutputStream();
    while (added.size() < 13_000_000) {
      byte[] part = new byte[random.nextInt(3 * Pieces.MOST)];
      random.nextBytes(part);
      pieces.add(Unpooled.wrappedBuffer(part));
      added.writeBytes(part);
      assertThat(pieces.length()).isEqualTo(added.size());
    }

    ByteBuf all = pieces.take();
    assertThat(ByteBufUtil.getBytes(all)).isEqualTo(added.toByteArray());
    assertThat(all.nioBuffers()).extracting(ByteBuffer::remaining).allMatch(n -> n <= Pieces.MOST);
    assertThat(pieces.length()).isZero();
    all.release();
  }

  @Test
  void fewBytesAreHeldInOnePiece() {
    pieces.add(Unpooled.wrappedBuffer(new byte[] {1, 2}));
    pieces.add(Unpooled.wrappedBuffer(new byte[0]));

    ByteBuf all = pieces.take();
    assertThat(all.nioBufferCount()).isEqualTo(1);
    assertThat(all.capacity()).isEqualTo(2);
    all.release();
  }

  @Test
  void nothingIsTakenTwice() {
    pieces.add(Unpooled.wrappedBuffer(new byte[] {1}));
    ByteBuf all = pieces.take();

    assertThat(pieces.take().isReadable()).isFalse();
    pieces.release();
    pieces.release();
    assertThat(all.refCnt()).isEqualTo(1);
    all.release();
  }
}
