package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.TestInfo;
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

  /** As {@link #open}, by an address with a name and a password, such as a bookmark has. */
  void openAsUser(String hash) {
    browser.open(address.replace("://", "://alice:secret@") + hash);
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

  /** The name of a series in the table, which shows it alone if it is clicked. */
  WebElement row(String series) {
    return browser.element(".series .name", series::equals);
  }

  /** The names of the series that are not plotted. */
  List<String> hidden() {
    return browser.texts(".series[aria-pressed=false] .name");
  }

  /** The page's link, opened, must show what is shown now. */
  void reopensTheSame() {
    List<String> legend = legend();
    List<String> hidden = hidden();
    String link = browser.url();
    open(link.substring(link.indexOf('#')));
    awaitLegend(legend.toArray(String[]::new));
    assertThat(hidden()).isEqualTo(hidden);
    assertThat(browser.url()).isEqualTo(link);
  }

  /** Files that the page saves from now on are kept for {@link #files}. */
  void catchFiles() {
    Object unused =
        browser.script(
            """
            window.saved = [];
            HTMLAnchorElement.prototype.click = () => {};
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
              blob.text().then((text) => window.saved.push(blob.type + ' ' + text));
              return make.call(URL, blob);
            };
            return true;
            """);
  }

  /** The files that the page has saved, each as its type, a space and its text. */
  List<String> files() {
    return ((List<?>) browser.script("return window.saved")).stream().map(String::valueOf).toList();
  }

  /** A field of the first query, or of the page. */
  WebElement named(String name) {
    return browser.element("[data-name=" + name + "]");
  }

  /** With -Dpage.pictures=DIRECTORY the page is saved as a test has left it. */
  void savePictures(TestInfo test) throws IOException {
    String pictures = System.getProperty("page.pictures", "");
    if (!pictures.isEmpty()) {
      String name = test.getTestMethod().orElseThrow().getName();
      Files.write(Path.of(pictures, name + ".png"), browser.picture());
      browser.look(1280, 900, "dark");
      Files.write(Path.of(pictures, name + "-dark.png"), browser.picture());
      browser.look(360, 1800, "dark");
      Files.write(Path.of(pictures, name + "-phone.png"), browser.picture());
    }
  }

  @Override
  public void close() {
    browser.close();
  }
}
