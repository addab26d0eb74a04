package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of a query that has no effect without another one, or contradicts it, is refused. */
class ContradictionsTest extends RequestCase {
  private static final String QUERY =
      "{'start':1500001200,'end':1500001300,'queries':[{'aggregator':'sum',%s}]}";
  private static final String METRIC = "'metric':'m',";
  private static final String SERIES = "'tsuids':['000001000001000001'],";
  private static final String FORMULA =
      "{'time':{'start':'1500001200','end':'1500001300','aggregator':'sum',%s},"
          + "'metrics':[{'id':'a','metric':'m'}]}";

  private String query(String members) {
    return respond("POST", "/api/query", QUERY.formatted(members));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'rateOptions':{'counter':true}                   | rateOptions have no effect without"
            + " rate",
        "'rateOptions':{'dropResets':true},'rate':false   | rateOptions have no effect without"
            + " rate",
        "'rate':'false','rateOptions':{'counterMax':5}    | rateOptions have no effect without"
            + " rate",
        "'rate':null,'rateOptions':{'resetValue':5}       | rateOptions have no effect without"
            + " rate",
        "'rate':true,'rateOptions':{'counterMax':5}       | counterMax has no effect without"
            + " counter",
        "'rate':true,'rateOptions':{'counter':false,'resetValue':5} | resetValue has no effect"
            + " without counter",
        "'rate':true,'rateOptions':{'counter':true,'resetValue':-5} | can't be negative",
        "'rate':true,'rateOptions':{'counter':true,'counterMax':-5} | can't be negative",
      })
  void optionsOfARateNeedTheRate(String members, String problem) {
    assertThat(query(METRIC + members)).startsWith("400 ").contains(problem);
    assertThat(respond("POST", "/api/query/exp", FORMULA.formatted(members)))
        .startsWith("400 ")
        .contains("time: ", problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'rateOptions':null",
        "'rateOptions':{}",
        "'rateOptions':{'counter':false,'counterMax':0}",
        "'rateOptions':{'counterMax':9223372036854775807,'resetValue':0,'dropResets':false}",
        "'rate':true,'rateOptions':{'counter':false,'dropResets':true}", // as Grafana sends it
        "'rate':true,'rateOptions':{'counter':true,'counterMax':5,'resetValue':3}",
      })
  void optionsThatSayNothingAreAccepted(String members) {
    assertThat(query(METRIC + members)).startsWith("200 ");
    assertThat(respond("POST", "/api/query/exp", FORMULA.formatted(members))).startsWith("200 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rate{,5}      | counterMax has no effect without counter",
        "rate{,,5}     | resetValue has no effect without counter",
        "rate{counter,,-5} | can't be negative",
      })
  void optionsOfACounterNeedTheCounter(String option, String problem) {
    for (String rest : new String[] {"query?m=sum:%s:m", "query/gexp?exp=scale(sum:%s:m,2)"}) {
      assertThat(respond("GET", "/api/" + rest.formatted(option) + "&" + RANGE, ""))
          .startsWith("400 ")
          .contains(problem);
    }
  }

  /** In formulas as in queries. */
  @Test
  void aMaximumOfZeroIsNoneInFormulas() {
    put("n 1500001230 5 host=a");
    put("n 1500001240 3 host=a");
    String formula = FORMULA.replace("'m'", "'n'");
    assertThat(
            respond(
                "POST",
                "/api/query/exp",
                formula.formatted("'rate':true,'rateOptions':{'counter':true,'counterMax':0}")))
        .isEqualTo(
            respond(
                    "POST",
                    "/api/query/exp",
                    formula.formatted("'rate':true,'rateOptions':{'counter':true}"))
                .replace(
                    "'rateOptions':{'counter':true}",
                    "'rateOptions':{'counter':true,'counterMax':0}"));
  }

  @Test
  void tsuidsAndTheirTagsAreNotCombined() {
    assertThat(query(SERIES + "'explicitTags':true"))
        .startsWith("400 ")
        .contains("explicitTags can't be combined with tsuids");
    assertThat(
            respond(
                "GET", "/api/query?" + RANGE + "&tsuid=sum:explicit_tags:000001000001000001", ""))
        .startsWith("400 ")
        .contains("explicitTags can't be combined with tsuids");
    assertThat(query(SERIES + "'explicitTags':false")).startsWith("200 ");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/query?m=sum:m&ascii,               ascii: has no effect on /api/query",
    "/api/query?m=sum:m&json,                json: has no effect on /api/query",
    "/api/query?m=sum:m&png,                 png: has no effect on /api/query",
    "/api/query/gexp?exp=scale(sum:m)&json,  json: has no effect on /api/query/gexp",
    "/api/query/last?timeseries=m&ascii=1,   ascii: has no effect on /api/query/last",
    "/q?m=sum:m&ascii&arrays,                arrays: has no effect on /q",
    "/q?m=sum:m&ascii&explain,               explain: has no effect on /q",
    "/q?m=sum:m&json&show_query=true,        show_query: has no effect on /q",
    "/q?m=sum:m&png&show_tsuids,             show_tsuids: has no effect on /q",
  })
  void formsAreThoseOfPlotsOrOfResults(String uri, String problem) {
    String range = uri.contains("/last") ? "" : "&" + RANGE;
    assertThat(respond("GET", uri + range, "")).startsWith("400 ").contains(problem);
  }

  @Test
  void aFormThatIsFalseIsAbsent() {
    assertThat(respond("GET", "/api/query?m=sum:m&ascii=false&json=0&" + RANGE, ""))
        .startsWith("200 ");
    assertThat(respond("GET", "/q?m=sum:m&json&arrays=false&global_annotations&" + RANGE, ""))
        .startsWith("200 ");
  }

  @Test
  void inStrictModeTheyAreIgnored() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(query(METRIC + "'rateOptions':{'counter':true,'counterMax':5}")).startsWith("200 ");
    assertThat(query(METRIC + "'rate':true,'rateOptions':{'resetValue':-5}")).startsWith("200 ");
    assertThat(query(SERIES + "'explicitTags':true")).startsWith("200 ");
    assertThat(respond("GET", "/api/query?m=sum:m&ascii&json&" + RANGE, "")).startsWith("200 ");
    assertThat(respond("GET", "/q?m=sum:m&ascii&explain&arrays&" + RANGE, "")).startsWith("200 ");
  }
}
