package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hourstone.TsdbOptions;
import org.hourstone.server.Client.Response;
import org.junit.jupiter.api.Test;

/** The refusal of a method names those that the path takes, as HTTP requires. */
class AllowedMethodsTest {
  private static void assertAllows(Served served, String method, String uri, String methods)
      throws IOException {
    Response response = Client.request(served.address(), method, uri, "");
    assertThat(response.status()).as("%s %s", method, uri).isEqualTo(405);
    assertThat(response.headers()).as("%s %s", method, uri).containsEntry("allow", methods);
  }

  @Test
  void theOthersAreNamed() throws IOException {
    try (Served served = Served.start()) {
      assertAllows(served, "GET", "/api/put", "POST");
      assertAllows(served, "PATCH", "/api/query?m=x", "DELETE, GET, POST");
      assertAllows(served, "PUT", "/api/v1/suggest/", "GET, POST");
      assertAllows(served, "GET", "/api/query?method_override=PUT", "DELETE, GET, POST");
      assertAllows(served, "HEAD", "/api/version", "GET, POST");
      assertAllows(served, "OPTIONS", "/api/annotation/bulk", "DELETE, POST, PUT");
      assertAllows(served, "OPTIONS", "/api/nothing", "");
      assertAllows(served, "POST", "/metrics", "GET, HEAD");
    }
  }

  @Test
  void inStrictModeTheyAreNot() throws IOException {
    try (Served served = Served.start(TsdbOptions.openTsdbDefaults())) {
      Response response = Client.request(served.address(), "GET", "/api/put", "");
      assertThat(response.status()).isEqualTo(405);
      assertThat(response.headers()).doesNotContainKey("allow");
    }
  }
}
