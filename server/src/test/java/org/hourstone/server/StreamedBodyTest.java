package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.junit.jupiter.api.Test;

class StreamedBodyTest {
  private static final int PLAIN = 10 << 20;

  private static byte[] blanks() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(" ".repeat(PLAIN).getBytes(UTF_8));
    }
    return packed.toByteArray();
  }

  /** A small body that becomes a large one does not keep its thread until its end. */
  @Test
  void othersMayHaveTheirTurnsWhileABodyIsDecompressed() throws Exception {
    ClientMemory memory = new ClientMemory(1 << 20);
    try (Tsdb db = Tsdb.open("memory:", TsdbOptions.defaults())) {
      ApiUpload upload = new Api(db).upload("POST", "/api/put", new Disconnection(), Role.all());
      StreamedBody body = new StreamedBody(upload, memory, 2 * PLAIN, "gzip");
      ReceivedBody all = new ReceivedBody(memory, 2 * PLAIN);
      assertThat(all.add(Unpooled.wrappedBuffer(blanks()))).isNull();
      body.add(all, true);

      int turns = 0;
      ApiResponse answer = body.proceed(() -> true);
      while (answer == null) {
        assertThat(body.isUnfinished()).isTrue();
        turns++;
        answer = body.proceed(() -> true);
      }
      assertThat(turns).isGreaterThan(100);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(body.isUnfinished()).isFalse();
      body.release();
      all.release();
      assertThat(memory.taken()).isZero();
    }
  }
}
