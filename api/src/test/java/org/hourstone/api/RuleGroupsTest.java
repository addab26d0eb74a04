package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A tree's rule takes its name from a group that its regular expression has, and from its other
 * fields.
 */
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'type':'TAGK','field':'h','customField':'c'  | customField | of type TAGK",
        "'type':'METRIC','customField':'c'            | customField | of type METRIC",
        "'type':'METRIC','field':'m'                  | field       | of type METRIC",
        "'type':'METRIC','regex':'(.)','separator':'x'| separator   | with a regex",
      })
  void aFieldWithoutEffectIsRefused(String fields, String field, String why) {
    String rule = "{'treeId':1,'level':0,'order':0," + fields + "}";
    String problem = field + ": has no effect in a rule " + why;
    for (String method : new String[] {"POST", "PUT"}) {
      assertThat(respond(method, "/api/tree/rule", rule)).startsWith("400 ").contains(problem);
      assertThat(respond(method, "/api/tree/rules", "[" + rule + "]"))
          .startsWith("400 ")
          .contains(problem);
    }
    assertThat(respond("GET", "/api/tree?treeid=1", "")).contains("'rules':null");
  }

  /** One that an earlier program has stored, or that had an effect, is not in the request. */
  @Test
  void anotherChangeOfSuchARuleIsAccepted() {
    String custom = "{'treeId':1,'type':'TAGK_CUSTOM','field':'h','customField':'c'}";
    assertThat(respond("POST", "/api/tree/rule", custom)).startsWith("200 ");
    assertThat(respond("POST", "/api/tree/rule", "{'treeId':1,'type':'TAGK'}")).startsWith("200 ");
    assertThat(respond("POST", "/api/tree/rule", "{'treeId':1,'notes':'n'}"))
        .startsWith("200 ")
        .contains("'notes':'n'", "'customField':'c'");
  }

  @Test
  void inStrictModeAnyIsStored() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("POST", "/api/tree/rule", RULE.formatted("^(.)$", 5))).startsWith("200 ");
    assertThat(
            respond(
                "POST",
                "/api/tree/rule",
                "{'treeId':1,'level':1,'type':'TAGK','field':'h','customField':'c','regex':'(x)',"
                    + "'separator':'y'}"))
        .startsWith("200 ");
  }
}
