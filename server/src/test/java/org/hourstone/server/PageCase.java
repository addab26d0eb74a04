package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A server's page in a browser, which reports no error in any test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 300, unit = TimeUnit.SECONDS)
abstract class PageCase {
  static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  Served served;
  ServedPage page;
  Browser browser;

  /** Starts a server, and stores the points that its page shows. */
  abstract Served serve() throws IOException;

  @BeforeAll
  final void start() throws IOException {
    served = serve();
    served.db().flush();
    page = new ServedPage(served);
    browser = page.browser();
  }

  @AfterAll
  final void stop() {
    if (page != null) {
      page.close();
    }
    served.close();
  }

  @AfterEach
  final void theBrowserLogsNoErrors(TestInfo test) throws IOException {
    page.savePictures(test);
    browser.look(1280, 900, "light");
    assertThat(browser.complaints()).isEmpty();
  }
}
