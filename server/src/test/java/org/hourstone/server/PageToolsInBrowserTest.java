package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.server.ServedPage.BY_HOST;
import static org.hourstone.server.ServedPage.RANGE;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.JobCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.support.ui.Select;

/**
 * The web page's tools, in a real browser: functions, formulas, forms of plots, files, jobs, the
 * last hour.
 */
class PageToolsInBrowserTest extends PageCase {
  /** A job that runs until it is cancelled. */
  private static final class Commands implements JobCommands {
    @Override
    public Command parse(List<String> words) {
      return new Command(
          words.get(0),
          output -> {
            output.progress(1234, 1, 4);
            output.line("working on it");
            while (!output.isCancelled()) {
              Thread.onSpinWait();
            }
            throw new ApiException(ApiException.UNAVAILABLE, "cancelled");
          });
    }

    @Override
    public String store() {
      return "memory:";
    }
  }

  @Override
  Served serve() throws IOException {
    Served served =
        Served.start(
            TsdbOptions.defaults().with(Settings.AUTO_CREATE_METRICS, "true"),
            ServerTest.options(InetAddress.getLoopbackAddress()),
            new Commands());
    for (int minute = 0; minute < 60; minute++) {
      Instant time = START.plusSeconds(60L * minute);
      served.db().put("sys.cpu", time, minute, Tags.of("host", "web01"));
      served.db().put("sys.cpu", time, 100 + minute, Tags.of("host", "web02"));
      served.db().put("sys.limit", time, 200, Tags.of("host", "web01", "rack", "r" + minute % 2));
    }
    return served;
  }

  /** The greatest value that the axis has room for. */
  private double top() {
    return top("data-values");
  }

  private double top(String axis) {
    String values = browser.element(".plot").getDomAttribute(axis);
    return values == null ? 0 : Double.parseDouble(values.split(" ")[1]);
  }

  @Test
  void aFunctionIsPlottedAndKeptByTheLink() {
    page.open(RANGE);
    browser.button("+ Function").click();
    page.named("function").sendKeys("scale(sum:sys.cpu{host=*},2)", Keys.ENTER);
    browser.await("two series", () -> browser.text(".outcome").startsWith("2 series"));

    String link = browser.url();
    assertThat(link).contains("&exp=scale(sum:sys.cpu%7Bhost=*%7D,2)");
    page.open(link.substring(link.indexOf('#')) + "&m=sum:sys.cpu");

    browser.await("three series", () -> browser.text(".outcome").startsWith("3 series"));
    assertThat(browser.texts(".legend .value")).containsExactlyInAnyOrder("218", "118", "318");
    browser.click(".request summary");
    assertThat(browser.element(".request pre").getDomProperty("textContent"))
        .contains("/api/query'", "/api/query/gexp'");
  }

  @Test
  void aFormulaOverQueriesIsPlottedOnTheRightAxisAndKeptByTheLink() {
    page.open(BY_HOST + "&m=max:1m-avg:sys.limit{host=*}&m=sum:1m-max:sys.cpu{host=*}");
    browser.await("the queries", () -> browser.text(".outcome").startsWith("5 series"));
    browser.elements("[title='Remove this query']").get(0).click();
    browser.await("two of them", () -> browser.text(".outcome").startsWith("3 series"));
    assertThat(browser.texts(".letter")).containsExactly("b", "c");

    browser.button("+ Formula").click();
    page.named("formula").sendKeys("c / b * 100", Keys.ENTER);
    browser.await(
        "a refusal",
        () ->
            browser
                .text(".failure")
                .equals(
                    "Formula c / b * 100: its queries need the same downsampling, but b has 1m-avg"
                        + " and c has 1m-max"));
    new Select(browser.elements("[data-name=downsampler]").get(0)).selectByValue("max");

    browser.await("its series", () -> browser.text(".outcome").startsWith("4 series"));
    assertThat(page.legend()).contains("c / b * 100 {host=web01} 29.5");
    assertThat(browser.text(".hint"))
        .isEqualTo(
            "Formula c / b * 100 has no values for {host=web02}: at no time do all of its queries"
                + " have one with the same tags of filters (host), or it divides by 0.");

    browser.elements("[data-name=place]").stream()
        .map(Select::new)
        .forEach(place -> place.selectByValue("right"));
    browser.await("all on one axis", () -> browser.texts(".axis").size() == 4);
    new Select(browser.elements("[data-name=place]").get(0)).selectByValue("left");
    new Select(browser.elements("[data-name=place]").get(1)).selectByValue("hidden");
    new Select(page.named("unitRight")).selectByValue("percent");
    page.awaitLegend("sys.limit {host=web01} 200", "c / b * 100 {host=web01} 29.5 %");
    assertThat(browser.texts(".axis")).containsExactly("right axis");
    assertThat(top()).isGreaterThanOrEqualTo(200);
    assertThat(top("data-right")).isBetween(29.5, 100.0);

    String link = browser.url();
    assertThat(link)
        .endsWith(
            "&m=max:1m-max:sys.limit%7Bhost=*%7D&id=b&m=sum:1m-max:sys.cpu%7Bhost=*%7D&id=c&o=hidden"
                + "&formula=c%20/%20b%20*%20100&o=axis%20x1y2&unit2=percent");
    page.open(link.substring(link.indexOf('#')));
    page.awaitLegend("sys.limit {host=web01} 200", "c / b * 100 {host=web01} 29.5 %");
    assertThat(browser.url()).isEqualTo(link);
    browser.click(".request summary");
    assertThat(browser.element(".request pre").getDomProperty("textContent"))
        .contains("/api/query/exp'", "\"expr\":\"c / b * 100\"");
    browser.element(".request summary", "History"::equals).click();
    browser.await(
        "the history",
        () ->
            browser
                .text(".history a")
                .equals("max:1m-max:sys.limit{host=*}, sum:1m-max:sys.cpu{host=*}, c / b * 100"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "&m=sum:sys.cpu&formula=a / x | 'x', which is neither a metric nor an expression: a / x",
        "&m=sum:sys.cpu&formula=a / | malformed formula",
        "&m=sum:sys.cpu&formula=1e3 | it names no query; those there are: a",
        "&m=sum:sys.cpu&m=sum:rate:sys.cpu&formula=a / b | a has none and b has rate",
        "&m=sum:percentiles[99]:sys.cpu&o=hidden&formula=a / 2 | a has percentiles[99]",
      })
  void aFormulaThatIsRefusedIsNamed(String queries, String reason) {
    page.open(RANGE + queries);

    browser.await("the reason", () -> browser.text(".failure").contains(reason));
    assertThat(browser.text(".failure"))
        .startsWith("Formula " + queries.substring(queries.lastIndexOf('=') + 1) + ": ");
    assertThat(browser.complaints()).allMatch(line -> line.contains("status of 400"));
  }

  @Test
  void aQueryIsEditedAsText() {
    page.open(RANGE + "&m=sum:sys.cpu");
    page.awaitLegend("sys.cpu 218");
    browser.click(".text summary");
    assertThat(page.named("text").getDomProperty("value")).isEqualTo("sum:sys.cpu");

    page.named("text")
        .sendKeys(Keys.chord(Keys.CONTROL, "a"), "max:sys.cpu{host=web02}", Keys.ENTER);

    page.awaitLegend("host=web02 159");
    assertThat(page.named("aggregator").getDomProperty("value")).isEqualTo("max");
  }

  @Test
  void aSeriesIsShownAloneAndTheAxisFollows() {
    page.open(BY_HOST);
    page.awaitLegend("host=web01 59", "host=web02 159");
    assertThat(top()).isGreaterThanOrEqualTo(159);

    browser.elements(".series").get(0).click();
    browser.await("the axis", () -> top() < 100);
    assertThat(browser.elements(".series[aria-pressed=false]")).hasSize(1);

    browser.elements(".series").get(0).click();
    browser.await("both", () -> top() >= 159);
    browser
        .actions()
        .keyDown(Keys.CONTROL)
        .click(browser.elements(".series").get(1))
        .keyUp(Keys.CONTROL)
        .perform();
    browser.await("without the second", () -> top() < 100);
  }

  @Test
  void valuesAreStackedHaveUnitsAndALogarithmicScale() {
    page.open(BY_HOST);
    page.awaitLegend("host=web01 59", "host=web02 159");
    page.named("stacked").findElement(By.tagName("input")).click();
    browser.await("the sum", () -> top() >= 218);
    new Select(page.named("unit")).selectByValue("percent");
    page.awaitLegend("host=web01 59 %", "host=web02 159 %");
    page.named("logarithmic").findElement(By.tagName("input")).click();
    browser.await("the link", () -> browser.url().endsWith("&unit=percent&stacked&ylog"));

    page.open(browser.url().substring(browser.url().indexOf('#')));
    page.awaitLegend("host=web01 59 %", "host=web02 159 %");
    assertThat(browser.texts(".outcome").get(0)).startsWith("2 series");
    new Select(page.named("unit")).selectByValue("bytes");
    browser.await("an axis of powers of 2", () -> top() == 256);
  }

  @Test
  void pointsAndPlotAreSavedAsFiles() {
    page.open(BY_HOST + "&o=hidden&m=sum:sys.cpu&formula=a / 2");
    page.awaitLegend("sys.cpu 218", "a / 2 {host=web01} 29.5", "a / 2 {host=web02} 79.5");
    page.catchFiles();
    browser.button("CSV").click();
    browser.button("PNG").click();
    browser.await("two files", () -> page.files().size() == 2);

    assertThat(page.files())
        .anySatisfy(
            file ->
                assertThat(file.lines())
                    .hasSize(181)
                    .startsWith(
                        "text/csv metric,timestamp,value,tags",
                        "sys.cpu,2024-01-01T00:00:00.000Z,100,")
                    .contains("a / 2,2024-01-01T00:01:00.000Z,0.5,host=web01"))
        .anySatisfy(file -> assertThat(file).startsWith("image/png ").contains("PNG"));
  }

  @Test
  void earlierQueriesAreListed() {
    page.open(RANGE + "&m=max:sys.cpu");
    browser.await("the first", () -> browser.text(".outcome").startsWith("1 series"));
    page.open(BY_HOST);
    page.awaitLegend("host=web01 59", "host=web02 159");
    browser.element(".request summary", "History"::equals).click();

    browser.await("the list", () -> browser.texts(".history a").contains("max:sys.cpu"));
    assertThat(browser.texts(".history a").get(0)).isEqualTo("sum:sys.cpu{host=*}");
    browser.elements(".history a").get(1).click();
    browser.await("the first again", () -> browser.text(".outcome").startsWith("1 series"));
  }

  @Test
  void queriesThatHaveEndedAndJobsAreListedAndCancelled() throws IOException {
    served.get("/api/query?start=2024/01/01&m=sum:ended.query");
    assertThat(served.post("/api/admin/jobs", "{\"command\":[\"compact\"]}").status())
        .isEqualTo(202);
    page.open("#queries");
    browser.await(
        "the query",
        () ->
            browser.texts(".ended .expression").stream().anyMatch(q -> q.contains("ended.query")));
    browser.await("the job", () -> browser.texts(".jobs td").contains("25 %"));
    assertThat(browser.texts(".jobs td")).anyMatch(job -> job.startsWith("compact\nworking on it"));

    browser.click(".jobs button");

    browser.await("its end", () -> browser.texts(".jobs td").contains("cancelled"));
  }

  @Test
  void theStatusHasTheLastHourAndRefusedPoints() throws IOException {
    assertThat(served.post("/api/put", "[{\"metric\":\"m\"}]").status()).isEqualTo(400);
    page.open("#status");
    browser.await(
        "refused points",
        () ->
            browser.texts(".tile").stream()
                .anyMatch(tile -> tile.startsWith("Refused points\n1\n1 illegal arguments")));
    browser.await("three plots", () -> browser.elements(".trend canvas").size() == 3);
    browser.await(
        "the time since the start",
        () -> browser.texts(".tile").stream().anyMatch(tile -> tile.startsWith("Running for\n")));
    browser.await(
        "the version",
        () -> browser.texts(".tile").stream().anyMatch(tile -> tile.endsWith("version 1.2.3")));
    assertThat(browser.texts(".tile")).anyMatch(tile -> tile.startsWith("Free disk\n"));
    browser.await(
        "the metrics with new series", () -> !browser.elements(".growth tbody tr").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BY_HOST + "&exp=scale(sum:sys.cpu,2)&formula=a / 2&o=axis x1y2&stacked&unit=bytes",
        "#queries"
      })
  void aPhoneNeedsNoScrollingToTheSide(String hash) {
    browser.look(360, 740, "light");
    page.open(hash);
    browser.await("a view", () -> !browser.text("main > :not([hidden])").isEmpty());

    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo(360L);
  }

  @Test
  void aPhoneShowsTheWholeLinesOfTables() throws IOException {
    assertThat(served.post("/api/admin/jobs", "{\"command\":[\"compact\"]}").status())
        .isEqualTo(202);
    browser.look(360, 740, "light");
    page.open(BY_HOST);
    browser.await("a query", () -> browser.text(".outcome").startsWith("2 series"));
    page.open("#queries");
    browser.await("the job", () -> browser.texts(".jobs td").contains("25 %"));
    browser.await("the query", () -> browser.texts(".ended td").contains("200"));

    assertThat(
            browser.script(
                "return [...document.querySelectorAll('.scroll')]"
                    + ".filter(each => each.scrollWidth > each.clientWidth).length"))
        .isEqualTo(0L);
    browser.click(".jobs button");
    browser.await("its end", () -> browser.texts(".jobs td").contains("cancelled"));
  }
}
