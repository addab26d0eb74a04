package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.server.ServedPage.RANGE;

import java.io.IOException;
import java.time.Instant;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Which series the web page shows and how they are drawn, in a real browser. */
class PageSeriesInBrowserTest extends PageCase {
  private static final String BY_HOST = RANGE + "&m=sum:half{host=*}";

  @Override
  Served serve() throws IOException {
    Served served = Served.start(TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"));
    for (int minute = 0; minute < 60; minute++) {
      Instant time = START.plusSeconds(60L * minute);
      if (minute < 30) {
        served.db().put("half", time, 1, Tags.of("host", "a"));
      }
      served.db().put("half", time, 2, Tags.of("host", "b"));
      served.db().put("half", time, 3, Tags.of("host", "c"));
      served.db().put("below", time, -minute, Tags.of("host", "a"));
    }
    served.db().put("mixed", START, 1, Tags.of("host", "a"));
    served.db().put("mixed", START, 2, Tags.of("host", "b"));
    served.db().put("mixed", START.plusSeconds(5000), 2, Tags.of("host", "b"));
    return served;
  }

  private void clickWithControl(String series) {
    WebElement row = page.row(series);
    browser.actions().keyDown(Keys.CONTROL).click(row).keyUp(Keys.CONTROL).perform();
  }

  /** Half an hour later the host a has no points. */
  private void showsLater(String... series) {
    browser.click("[title=Later]");
    page.awaitLegend(series);
  }

  @Test
  void aSeriesShownAloneStaysSoInARangeWithoutAnother() {
    page.open(BY_HOST);
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    page.row("host=b").click();
    assertThat(page.hidden()).containsExactly("host=a", "host=c");

    showsLater("host=b 2", "host=c 3");
    assertThat(page.hidden()).containsExactly("host=c");
    page.reopensTheSame();

    browser.click("[title=Earlier]");
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    assertThat(page.hidden()).containsExactly("host=a", "host=c");
    page.row("host=b").click();
    assertThat(page.hidden()).isEmpty();
    assertThat(browser.url()).doesNotContain("only").doesNotContain("hide");
  }

  @Test
  void aHiddenSeriesStaysHiddenInARangeWithoutAnother() {
    page.open(BY_HOST);
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    clickWithControl("host=b");
    assertThat(page.hidden()).containsExactly("host=b");

    showsLater("host=b 2", "host=c 3");

    assertThat(page.hidden()).containsExactly("host=b");
    page.reopensTheSame();
  }

  /** In the second hour all points of a sum have the tag of b. */
  @Test
  void anAggregateStaysHiddenWhenItsPointsHaveOtherTagsInCommon() {
    page.open(RANGE + "&m=sum:mixed&m=max:mixed");
    page.awaitLegend("mixed – a 3", "mixed – b 2");
    clickWithControl("mixed – a");

    browser.click("[title=Later]");
    showsLater("host=b – a 2", "host=b – b 2");

    assertThat(page.hidden()).containsExactly("host=b – a");
  }

  @Test
  void aQueryWithoutPointsDoesNotHandItsChoiceToTheNext() {
    page.open(RANGE + "&m=sum:half{}{host=a}&m=sum:half{host=b}&m=sum:half{}{host=b}");
    page.awaitLegend("host=a 1", "host=b – b 2", "host=b – c 2");
    clickWithControl("host=b – b");

    showsLater("host=b – b 2", "host=b – c 2");

    assertThat(page.hidden()).containsExactly("host=b – b");
  }

  @ParameterizedTest
  @CsvSource({"new.only, only, host=b", "new.hide, hide, host=a"})
  void aNewSeriesIsHiddenBesideOneThatIsShownAlone(String metric, String word, String hidden) {
    Instant now = Instant.now();
    served.db().put(metric, now.minusSeconds(60), 1, Tags.of("host", "a")).join();
    page.open(
        "#start=10m-ago&autoreload=1&m=sum:%s{host=*}&%s=a:%s{host=a}"
            .formatted(metric, word, metric));
    page.awaitLegend("host=a 1");

    served.db().put(metric, now.minusSeconds(30), 2, Tags.of("host", "b")).join();

    page.awaitLegend("host=a 1", "host=b 2");
    assertThat(page.hidden()).containsExactly(hidden);
  }

  @Test
  void aChoiceEndsWithTheQueries() {
    page.open(BY_HOST + "&only=a:half{host=b}");
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    assertThat(page.hidden()).containsExactly("host=a", "host=c");

    browser.button("+ Formula").click();
    page.named("formula").sendKeys("a * 2", Keys.ENTER);

    browser.await("all", () -> page.legend().size() == 6 && page.hidden().isEmpty());
    assertThat(browser.url()).doesNotContain("only");
  }

  @Test
  void aLogarithmicAxisWithoutPositiveValuesIsEmpty() {
    page.open(RANGE + "&m=sum:half{host=*}&m=sum:below&o=axis x1y2&ylog");

    browser.await("four series", () -> browser.text(".outcome").startsWith("4 series"));
    assertThat(browser.elements(".plot canvas")).hasSize(1);
    page.row("below {host=a}").click();
    assertThat(page.hidden()).hasSize(3);
  }

  @Test
  void coloursOfTheTableFollowTheSystem() {
    page.open(BY_HOST);
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    String colour = "return getComputedStyle(document.querySelector('.swatch')).backgroundColor";
    assertThat(browser.script(colour)).isEqualTo("rgb(31, 119, 180)");

    browser.look(1280, 900, "dark");

    assertThat(browser.script(colour)).isEqualTo("rgb(90, 169, 230)");
  }

  @Test
  void whenOneRequestFailsTheOthersEnd() {
    page.open(BY_HOST);
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    Object unused =
        browser.script(
            """
            const send = window.fetch;
            window.fetch = (address, options) => {
              if (!address.includes('/api/query?')) return send(address, options);
              window.slow = options.signal;
              return new Promise(() => {});
            };
            return true;
            """);

    browser.button("+ Formula").click();
    page.named("formula").sendKeys("a / x", Keys.ENTER);

    browser.await("the reason", () -> browser.text(".failure").startsWith("Formula a / x: "));
    assertThat(browser.script("return window.slow.aborted")).isEqualTo(true);
    assertThat(browser.complaints()).allMatch(line -> line.contains("status of 400"));
  }

  /** Without its plot the page would need no scroll bar. */
  @Test
  void aPlotIsNotDrawnBelowTheScrollBar() {
    page.open(BY_HOST);
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");

    page.named("stacked").findElement(By.tagName("input")).click();

    browser.await("the link", () -> browser.url().endsWith("&stacked"));
    String width = "return document.querySelector('%s').clientWidth";
    assertThat(browser.script(width.formatted(".uplot")))
        .isEqualTo(browser.script(width.formatted(".plot")));
  }

  /** The first label of the time would be cut off at the left. */
  @Test
  void theDateIsReadableBesideASeriesOfTheRightAxis() {
    page.open(RANGE + "&m=sum:half{host=*}&m=sum:below&o=axis x1y2&only=b:below{}");
    browser.await("four series", () -> browser.text(".outcome").startsWith("4 series"));

    assertThat(page.hidden()).hasSize(3);
    assertThat(browser.script("return document.querySelector('.u-over').offsetLeft"))
        .isEqualTo(40L);
  }
}
