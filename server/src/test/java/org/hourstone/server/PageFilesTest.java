package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the web page, as they are served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageFilesTest {
  private Served served;

  @BeforeAll
  void start() throws IOException {
    served = Served.start();
  }

  @AfterAll
  void stop() {
    served.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/ | text/html; charset=UTF-8",
        "/?x=1 | text/html; charset=UTF-8",
        "/favicon.ico | image/svg+xml",
        "/s/app.js | text/javascript; charset=UTF-8",
        "/s/style.css | text/css; charset=UTF-8",
        "/s/uPlot.iife.min.js | text/javascript; charset=UTF-8",
        "/s/uPlot-LICENSE.txt | text/plain; charset=UTF-8"
      })
  void filesHaveTheirTypes(String path, String type) throws IOException {
    Response response = served.get(path);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers()).containsEntry("content-type", type);
    assertThat(response.content()).isNotEmpty();
  }

  @Test
  void nothingFromElsewhereIsExecutedAndNoSiteFramesThePage() throws IOException {
    assertThat(served.get("/").headers())
        .containsEntry("x-content-type-options", "nosniff")
        .containsEntry("x-frame-options", "DENY")
        .containsEntry("referrer-policy", "no-referrer")
        .hasEntrySatisfying(
            "content-security-policy",
            policy ->
                assertThat(policy)
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe", "data:", "http"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/s/",
        "/s",
        "/s/nosuch.js",
        "/s/index.html/",
        "/s/../index.html",
        "/s/..%2findex.html",
        "/s/%2e%2e/Pages.class",
        "/s/../../../../../../etc/passwd",
        "/s//etc/passwd",
        "/s/app.js%00.txt",
        "/s/page/app.js",
        "/org/hourstone/server/page/app.js"
      })
  void anyOtherPathIsNoFile(String path) throws IOException {
    assertThat(served.get(path).status()).isEqualTo(404);
  }

  @Test
  void aKnownFileIsNotSentAgain() throws IOException {
    String tag = served.get("/s/app.js").headers().getOrDefault("etag", "none");

    Response again = conditional("/s/app.js", tag);
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.headers())
        .containsEntry("etag", tag)
        .containsEntry("cache-control", "no-cache");
    assertThat(conditional("/s/style.css", tag).status()).isEqualTo(200);
  }

  private Response conditional(String path, String tag) throws IOException {
    try (Client client = served.connect()) {
      client.sendRequest("GET", path, "If-None-Match: \"x\", " + tag + "\r\n", new byte[0]);
      return client.response();
    }
  }

  @Test
  void filesAreSentCompressedAndHeadWithoutContent() throws IOException {
    String plain = served.get("/s/app.js").body();
    try (Client client = served.connect()) {
      client.sendRequest("GET", "/s/app.js", "Accept-Encoding: gzip\r\n", new byte[0]);
      Response compressed = client.response();

      assertThat(compressed.headers()).containsEntry("content-encoding", "gzip");
      try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed.content()))) {
        assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(plain);
      }
    }
    Response head = Client.request(served.address(), "HEAD", "/s/app.js", "");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.headers()).containsEntry("content-length", "" + plain.getBytes(UTF_8).length);
    Response large = Client.request(served.address(), "HEAD", "/s/uPlot.iife.min.js", "");
    assertThat(large.headers()).doesNotContainEntry("content-length", "0");
  }

  /** A file that is missing from the list would be there, and not served. */
  @Test
  void everyFileIsServed() throws Exception {
    Path directory =
        Path.of(Objects.requireNonNull(Pages.class.getResource("page/index.html")).toURI())
            .getParent();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        String path =
            switch (name) {
              case "index.html" -> "/";
              case "favicon.svg" -> "/favicon.ico";
              default -> "/s/" + name;
            };
        assertThat(served.get(path).content()).as(path).isEqualTo(Files.readAllBytes(file));
      }
    }
  }
}
