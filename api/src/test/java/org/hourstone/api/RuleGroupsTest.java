package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tree's rule takes its name from a group that its regular expression has. */
class RuleGroupsTest extends RequestCase {
  private static final String RULE =
      "{'treeId':1,'level':0,'order':0,'type':'METRIC','regex':'%s','regexGroupIdx':%d}";

  @Override
  void putPoints() {
    respond("POST", "/api/tree", "{'name':'t'}");
  }

  @ParameterizedTest
  @CsvSource({
    "^(.)(.)$, 2, 2",
    "^(.)(.)$, 100, 2",
    "^.$,      0, 0",
    "^(?:.)$,  0, 0",
    "(.)((.)), 3, 3",
    "'',       1, 0",
  })
  void aGroupThatIsMissingIsRefused(String regex, int group, int groups) {
    String rule = RULE.formatted(regex, group);
    String problem = "regexGroupIdx: " + group + ", but the regex '" + regex + "' has " + groups;
    for (String method : new String[] {"POST", "PUT"}) {
      assertThat(respond(method, "/api/tree/rule", rule)).startsWith("400 ").contains(problem);
      assertThat(respond(method, "/api/tree/rules", "[" + rule + "]"))
          .startsWith("400 ")
          .contains(problem);
      assertThat(respond("GET", "/api/tree?treeid=1", "")).contains("'rules':null");
    }
  }

  @ParameterizedTest
  @CsvSource({"^(.)(.)$, 1", "^(.)$, 0", "'', 0"})
  void aGroupOfTheExpressionIsAccepted(String regex, int group) {
    for (String method : new String[] {"POST", "PUT"}) {
      String rule = RULE.formatted(regex, group);
      assertThat(respond(method, "/api/tree/rule", rule)).startsWith("200 ");
      assertThat(respond(method, "/api/tree/rules", "[" + rule + "]")).startsWith("204 ");
    }
  }

  /** What counts is the rule after the change. */
  @Test
  void aChangeOfTheExpressionAloneIsChecked() {
    respond("POST", "/api/tree/rule", RULE.formatted("(.)(.)", 1));
    assertThat(respond("POST", "/api/tree/rule?treeid=1&level=0&order=0&regex=(x)", ""))
        .startsWith("400 ")
        .contains("regexGroupIdx: 1, but the regex '(x)' has 1");
    assertThat(respond("GET", "/api/tree/rule?treeid=1&level=0&order=0", ""))
        .contains("'regex':'(.)(.)'");
  }

  @Test
  void inStrictModeAnyIsStored() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("POST", "/api/tree/rule", RULE.formatted("^(.)$", 5))).startsWith("200 ");
  }
}
