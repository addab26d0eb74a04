package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hourstone.bench.Peer.PeerAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerInputTest {
  @TempDir Path directory;

  private Path lines() throws IOException {
    Path lines = directory.resolve("lines");
    new DevopsWorkload(1, 1200, true).writeTo(lines);
    return lines;
  }

  @Test
  void telnetHasEveryLineOnce() throws IOException {
    Path lines = lines();
    List<Path> halves = PeerInput.TELNET.write(lines, 600, directory);
    List<String> sent = Files.readAllLines(halves.get(0));
    assertThat(sent).hasSize(600);
    sent.addAll(Files.readAllLines(halves.get(1)));
    assertThat(sent)
        .isEqualTo(Files.readAllLines(lines).stream().map(line -> "put " + line).toList());
  }

  @Test
  void bodiesHaveFiveHundredPointsAndTheLastOneTheRest() throws IOException {
    List<Path> halves = PeerInput.JSON.write(lines(), 600, directory);
    try (DataInputStream in = new DataInputStream(Files.newInputStream(halves.get(0)))) {
      JsonNode body = body(in);
      assertThat(body).hasSize(500);
      assertThat(body.get(0).get("metric").asText()).isEqualTo("cpu.usage_user");
      assertThat(body.get(0).get("timestamp").asLong()).isEqualTo(1704067200);
      assertThat(body.get(0).get("value").isNumber()).isTrue();
      assertThat(body.get(0).get("tags").get("host").asText()).isEqualTo("host_0");
      assertThat(body.get(0).get("tags")).hasSize(4);
      assertThat(body(in)).hasSize(100);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void linesOfInfluxHaveTheFieldsOfAMeasurementTogether() throws IOException {
    List<Path> halves = PeerInput.INFLUX.write(lines(), 600, directory);
    try (DataInputStream in = new DataInputStream(Files.newInputStream(halves.get(0)))) {
      String request = new String(in.readNBytes(in.readInt()), US_ASCII);
      assertThat(request).startsWith("POST /write HTTP/1.1\r\n");
      List<String> lines = request.substring(request.indexOf("\r\n\r\n") + 4).lines().toList();
      assertThat(lines).hasSize(60);
      assertThat(lines.get(0))
          .matches(
              "cpu,host=host_0(,[a-z]+=[^ ]+){3} usage_user=[0-9.]+(,usage_[a-z_]+=[0-9.]+){9}"
                  + " 1704067200000000000");
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void remoteWritesHaveTwoThousandSamples() throws IOException {
    Path all = lines();
    List<Path> halves = PeerInput.REMOTE_WRITE.write(all, 600, directory);
    try (DataInputStream in = new DataInputStream(Files.newInputStream(halves.get(0)))) {
      byte[] request = in.readNBytes(in.readInt());
      String head = new String(request, ISO_8859_1);
      byte[] compressed = Arrays.copyOfRange(request, head.indexOf("\r\n\r\n") + 4, request.length);
      byte[] plain = new byte[SnappyDecompressor.getUncompressedLength(compressed, 0)];
      new SnappyDecompressor().decompress(compressed, 0, compressed.length, plain, 0, plain.length);
      String text = new String(plain, ISO_8859_1);
      assertThat(text.split("__name__", -1)).hasSize(601);
      assertThat(text).contains("cpu.usage_user", "host_0");
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void metricsOfOtlpHaveTheDataPointsOfAllHosts() throws IOException {
    List<Path> halves = PeerInput.OTLP.write(lines(), 600, directory);
    try (DataInputStream in = new DataInputStream(Files.newInputStream(halves.get(0)))) {
      String request = new String(in.readNBytes(in.readInt()), ISO_8859_1);
      assertThat(request).startsWith("POST /v1/metrics HTTP/1.1\r\n");
      assertThat(request.split("cpu.usage_", -1)).hasSize(11);
      assertThat(request.split("host_0", -1)).hasSize(601);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  private static JsonNode body(DataInputStream in) throws IOException {
    String request = new String(in.readNBytes(in.readInt()), US_ASCII);
    assertThat(request).startsWith("POST /api/put HTTP/1.1\r\n");
    return Peer.json(request.substring(request.indexOf("\r\n\r\n") + 4).getBytes(US_ASCII));
  }

  @Test
  void answersAgreeButForRounding() {
    PeerAnswer answer = new PeerAnswer(2, 1e6);
    assertThat(answer.agreesWith(new PeerAnswer(2, 1e6 + 1e-5))).isTrue();
    assertThat(answer.agreesWith(new PeerAnswer(2, 1e6 + 1))).isFalse();
    assertThat(answer.agreesWith(new PeerAnswer(3, 1e6))).isFalse();
  }
}
