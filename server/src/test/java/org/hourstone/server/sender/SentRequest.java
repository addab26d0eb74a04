package org.hourstone.server.sender;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.compress.snappy.SnappyCompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.hourstone.server.Client;
import org.hourstone.server.Client.Response;
import org.hourstone.server.Served;

/**
 * A request as a program sends it.
 *
 * @param head its first line and its headers, each with a line feed; but for those of the body's
 *     length
 */
record SentRequest(String head, byte[] body) {
  SentRequest(String head, String body) {
    this(head, body.getBytes(UTF_8));
  }

  /** As a program sends it that knows the length of the body. */
  Response to(Served served) throws IOException {
    String length = body.length == 0 ? "" : "Content-Length: " + body.length + "\n";
    return send(served, head + length, body);
  }

  /** As a program sends it that compresses while it sends: in chunks. */
  Response inChunksTo(Served served) throws IOException {
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    int half = body.length / 2;
    for (byte[] chunk :
        new byte[][] {
          Arrays.copyOf(body, half), Arrays.copyOfRange(body, half, body.length), new byte[0]
        }) {
      chunks.writeBytes((Integer.toHexString(chunk.length) + "\r\n").getBytes(ISO_8859_1));
      chunks.writeBytes(chunk);
      chunks.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
    return send(served, head + "Transfer-Encoding: chunked\n", chunks.toByteArray());
  }

  private static Response send(Served served, String head, byte[] body) throws IOException {
    try (Client client = served.connect()) {
      client.send(head.replace("\n", "\r\n") + "\r\n");
      client.send(body);
      return plain(client.response());
    }
  }

  /** Most programs take compressed responses. */
  private static Response plain(Response response) throws IOException {
    if (!response.headers().containsKey("content-encoding")) {
      return response;
    }
    assertThat(response.headers()).containsEntry("content-encoding", "gzip");
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.content()))) {
      return new Response(response.status(), response.headers(), in.readAllBytes());
    }
  }

  static byte[] gzip(String text) throws IOException {
    return gzip(text.getBytes(UTF_8));
  }

  static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(plain);
    }
    return compressed.toByteArray();
  }

  static byte[] snappy(byte[] plain) {
    SnappyCompressor compressor = new SnappyCompressor();
    byte[] block = new byte[compressor.maxCompressedLength(plain.length)];
    return Arrays.copyOf(
        block, compressor.compress(plain, 0, plain.length, block, 0, block.length));
  }
}
