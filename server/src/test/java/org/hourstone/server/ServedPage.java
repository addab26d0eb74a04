package org.hourstone.server;

import java.util.List;
import java.util.stream.IntStream;
import org.openqa.selenium.WebElement;

/** A served web page in a browser of its own. */
final class ServedPage implements AutoCloseable {
  /** An hour of points in every test of the page. */
  static final String RANGE = "#start=2024/01/01-00:00:00&end=2024/01/01-01:00:00&tz=UTC";

  static final String BY_HOST = RANGE + "&m=sum:sys.cpu{host=*}";

  private final String address;
  private final Browser browser = new Browser(1280, 900);

  ServedPage(Served served) {
    address = "http://127.0.0.1:" + served.address().getPort() + "/";
  }

  Browser browser() {
    return browser;
  }

  /**
   * @param hash what follows the address of the page, from the number sign
   */
  void open(String hash) {
    browser.open(address + hash);
  }

  /** The rows of the table below the plot, each with its name and its value. */
  List<String> legend() {
    List<String> names = browser.texts(".legend .name");
    List<String> values = browser.texts(".legend .value");
    return IntStream.range(0, Math.min(names.size(), values.size()))
        .mapToObj(i -> names.get(i) + " " + values.get(i))
        .toList();
  }

  void awaitLegend(String... rows) {
    browser.await("the legend " + List.of(rows), () -> legend().equals(List.of(rows)));
  }

  /** A field of the first query, or of the page. */
  WebElement named(String name) {
    return browser.element("[data-name=" + name + "]");
  }

  @Override
  public void close() {
    browser.close();
  }
}
