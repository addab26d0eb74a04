package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hourstone.server.ServedPage.BY_HOST;
import static org.hourstone.server.ServedPage.RANGE;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.TsdbOptions;
import org.hourstone.query.QueryCancelledException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The web page in a real browser. */
class PageInBrowserTest extends PageCase {
  @Override
  Served serve() throws IOException {
    Served served =
        Served.start(
            TsdbOptions.defaults()
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(Settings.ALLOW_SPECIALCHARS, "<>"));
    for (int minute = 0; minute < 60; minute++) {
      Instant time = START.plusSeconds(60L * minute);
      served.db().put("sys.cpu", time, minute, Tags.of("host", "web01", "dc", "lga"));
      served.db().put("sys.cpu", time, 100 + minute, Tags.of("host", "web02", "dc", "lga"));
      served.db().put("sys.load", time, 0.5, Tags.of("host", "web01"));
      served.db().put("marked.up", time, minute, Tags.of("name", "<b>bold</b>"));
    }
    return served;
  }

  @Test
  void aMetricIsChosenByCompletionWithTheKeyboard() {
    page.open(RANGE);
    page.named("metric").sendKeys("sys");
    browser.await(
        "suggestions",
        () -> browser.texts(".completion li span").equals(List.of("sys.cpu", "sys.load")));
    page.named("metric").sendKeys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP);
    assertThat(page.named("metric").getDomAttribute("aria-activedescendant")).isNotNull();

    page.named("metric").sendKeys(Keys.ENTER);

    page.awaitLegend("dc=lga 218");
    assertThat(page.named("metric").getDomProperty("value")).isEqualTo("sys.cpu");
    assertThat(browser.elements(".completion li")).allMatch(option -> !option.isDisplayed());
    assertThat(browser.text(".outcome")).startsWith("1 series, 60 points");
  }

  @Test
  void theAddressMayHaveANameAndAPassword() {
    page.openAsUser(BY_HOST);
    page.awaitLegend("dc=lga, host=web01 59", "dc=lga, host=web02 159");
  }

  @Test
  void escapeClosesTheSuggestionsAndEnterRunsWhatWasTyped() {
    page.open(RANGE);
    page.named("metric").sendKeys("sys.");
    browser.await("suggestions", () -> browser.texts(".completion li span").size() == 2);

    page.named("metric").sendKeys(Keys.ESCAPE);
    assertThat(browser.elements(".completion li")).allMatch(option -> !option.isDisplayed());
    page.named("metric").sendKeys("load", Keys.ENTER);

    page.awaitLegend("host=web01 0.5");
  }

  @Test
  void theTagsOfAMetricAreOfferedAndGroupIt() {
    page.open(RANGE + "&m=sum:sys.cpu");
    browser.await("tags", () -> browser.texts(".chip span").equals(List.of("+ dc", "+ host")));

    browser.elements(".chip").get(1).click();

    page.awaitLegend("dc=lga, host=web01 59", "dc=lga, host=web02 159");
    assertThat(browser.url()).contains("m=sum:sys.cpu%7Bhost=*%7D");
  }

  @Test
  void valuesAtTheCursorAreShown() {
    page.open(BY_HOST);
    page.awaitLegend("dc=lga, host=web01 59", "dc=lga, host=web02 159");

    browser.actions().moveToElement(browser.element(".u-over")).perform();
    browser.await(
        "the time in the middle",
        () -> browser.texts(".legend thead .number").contains("2024-01-01 00:30:00"));
    assertThat(page.legend()).containsExactly("dc=lga, host=web01 30", "dc=lga, host=web02 130");

    browser.element(".plot").sendKeys(Keys.ARROW_RIGHT);
    page.awaitLegend("dc=lga, host=web01 31", "dc=lga, host=web02 131");
  }

  @Test
  void draggingZoomsAndALinkShowsTheSame() {
    page.open(BY_HOST);
    page.awaitLegend("dc=lga, host=web01 59", "dc=lga, host=web02 159");
    WebElement plot = browser.element(".u-over");
    int quarter = plot.getSize().getWidth() / 4;

    browser
        .actions()
        .moveToElement(plot, -quarter, 0)
        .clickAndHold()
        .moveToElement(plot, quarter, 0)
        .release()
        .perform();

    browser.await("half the points", () -> browser.text(".outcome").contains(", 60 points"));
    String link = browser.url();
    assertThat(link).containsPattern("start=1704068\\d+&end=1704069\\d+&tz=UTC&m=sum:sys.cpu");

    page.open(link.substring(link.indexOf('#')));
    browser.await("the same again", () -> browser.text(".outcome").contains(", 60 points"));
    assertThat(browser.url()).isEqualTo(link);
  }

  @Test
  void aZoomIsReset() {
    page.open(BY_HOST);
    browser.await("all points", () -> browser.text(".outcome").contains("120 points"));

    browser.click("[title='Zoom in']");
    browser.await("half the points", () -> browser.text(".outcome").contains(", 62 points"));
    browser.button("Reset zoom").click();

    browser.await("all points", () -> browser.text(".outcome").contains("120 points"));
  }

  @Test
  void severalQueriesWithFiltersRatesAndDownsamplingAreKeptByTheLink() {
    String queries =
        "&m=max:10m-avg-nan:rate%7Bcounter,,100%7D:sys.cpu%7Bhost=wildcard(web*)%7D%7Bdc=lga%7D"
            + "&m=none:explicit_tags:sys.load%7Bhost=web01%7D";
    page.open(RANGE + queries);
    browser.await("three series", () -> browser.text(".outcome").startsWith("3 series"));

    assertThat(browser.texts(".legend .name"))
        .containsExactly(
            "sys.cpu {dc=lga, host=web01}",
            "sys.cpu {dc=lga, host=web02}",
            "sys.load {host=web01}");
    assertThat(browser.url()).endsWith("&tz=UTC" + queries);
    assertThat(browser.elements(".query")).hasSize(2);
  }

  @Test
  void theRequestIsACommandForAShell() {
    page.open(BY_HOST);
    browser.click(".request summary");

    browser.await(
        "the command",
        () ->
            browser
                .text(".request pre")
                .equals(
                    """
                    curl -G 'http://127.0.0.1:%d/api/query' \\
                      --data-urlencode 'start=1704067200000' \\
                      --data-urlencode 'end=1704070800000' \\
                      --data-urlencode 'm=sum:sys.cpu{host=*}' \\
                      --data-urlencode 'ms' \\
                      --data-urlencode 'arrays' \\
                      --data-urlencode 'show_query'\
                    """
                        .formatted(served.address().getPort())));
  }

  @Test
  void namesAreTextWhateverTheyContain() {
    page.open(RANGE + "&m=none:marked.up");

    page.awaitLegend("name=<b>bold</b> 59");
    assertThat(browser.elements("main b")).isEmpty();

    page.open("#metrics");
    browser.await("metrics", () -> browser.texts(".list .name").contains("marked.up"));
    browser.element(".list .name", "marked.up"::equals).click();
    browser.await("its tags", () -> !browser.elements(".tag summary").isEmpty());
    browser.click(".tag summary");
    browser.await("its values", () -> browser.texts(".tag .name").equals(List.of("<b>bold</b>")));
    assertThat(browser.elements("main b")).isEmpty();
  }

  @Test
  void anErrorIsShownInTheServersWords() {
    String metric = "<img src=x onerror=document.title='hit'>";
    page.open(
        RANGE
            + "&m="
            + URLEncoder.encode("sum:" + metric, StandardCharsets.UTF_8).replace("+", "%20"));

    browser.await("the error", () -> !browser.elements(".failure").isEmpty());
    assertThat(browser.text(".failure")).contains("<img src=x").contains("status 400");
    assertThat(browser.elements("main img")).isEmpty();
    assertThat(browser.complaints()).allMatch(line -> line.contains("status of 400"));
  }

  @Test
  void anEmptyRangeIsSaidAndItsPointsAreFound() {
    page.open("#start=1h-ago&tz=UTC&m=sum:sys.load");
    browser.await(
        "no points", () -> browser.texts(".problem strong").contains("No points in this range."));

    browser.click(".problem button");

    browser.await("the day", () -> browser.text(".outcome").startsWith("1 series"));
    assertThat(browser.url()).contains("start=1704067200000&end=1704153600000");
  }

  @Test
  void newPointsAppearByThemselves() {
    Instant now = Instant.now();
    served.db().put("live", now.minusSeconds(60), 1, Tags.of("host", "a")).join();
    page.open("#start=10m-ago&autoreload=1&m=sum:live");
    page.awaitLegend("host=a 1");

    served.db().put("live", now, 2, Tags.of("host", "a")).join();

    page.awaitLegend("host=a 2");
  }

  @Test
  void aRunningQueryIsCancelled() {
    try (var budget = served.db().begin(() -> "sum:a.long.query")) {
      page.open("#queries");
      browser.await("the query", () -> browser.texts(".expression").contains("sum:a.long.query"));

      browser.click("td button");

      browser.await("its end", () -> cancelled(budget::check));
      assertThatThrownBy(budget::check).isInstanceOf(QueryCancelledException.class);
    }
    browser.await("none", () -> browser.texts(".message").contains("No queries are running."));
  }

  private static boolean cancelled(Runnable check) {
    try {
      check.run();
      return false;
    } catch (QueryCancelledException e) {
      return true;
    }
  }

  @Test
  void theStateOfTheStoreIsShown() {
    page.open("#status");

    browser.await(
        "points per second",
        () ->
            browser.texts(".tile").stream()
                .anyMatch(tile -> tile.startsWith("Points per second\n0")));
    assertThat(browser.texts(".tile")).anyMatch(tile -> tile.startsWith("Points written\n24"));
  }

  @ParameterizedTest
  @ValueSource(strings = {BY_HOST, "#metrics", "#queries", "#status", ""})
  void aPhoneNeedsNoScrollingToTheSide(String hash) {
    browser.look(360, 740, "light");
    page.open(hash);
    browser.await("a view", () -> !browser.text("main > :not([hidden])").isEmpty());

    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo(360L);
  }

  @Test
  void coloursFollowTheSystem() {
    page.open(BY_HOST);
    String colour = "return getComputedStyle(document.body).backgroundColor";
    Object light = browser.script(colour);

    browser.look(1280, 900, "dark");

    assertThat(browser.script(colour)).isNotEqualTo(light);
  }
}
