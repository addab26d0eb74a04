package org.hourstone.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.tree.TreeSeries.Named;
import org.hourstone.tree.TreeSeries.Tag;
import org.junit.jupiter.api.Test;

class TreeBuilderTest {
  private static final TreeSeries SERIES =
      new TreeSeries(
          "000001000001000001000002000002",
          new Named("sys.cpu.user", Map.of("owner", "ops", "unit", "percent")),
          List.of(
              new Tag(new Named("host", Map.of("room", "r1")), new Named("web01", Map.of())),
              new Tag(new Named("dc", Map.of()), new Named("lga", Map.of("city", "New York")))));

  private static TreeRule rule(int level, int order, RuleType type) {
    return TreeRule.at(1, level, order).of(type);
  }

  private static TreeRule tag(int level, int order, String key) {
    return TreeRule.at(1, level, order).of(RuleType.TAGK, key);
  }

  private static TreeRule custom(RuleType type, String field, String customField) {
    return TreeRule.at(1, 0, 0).ofCustom(type, field, customField);
  }

  private static Placement place(boolean strict, TreeRule... rules) {
    TreeDefinition definition = new TreeDefinition("T", "", "", strict, 0, true, true);
    return new TreeBuilder(new Tree(1, definition, List.of(rules))).place(SERIES);
  }

  private static List<String> path(TreeRule... rules) {
    return place(false, rules).path();
  }

  @Test
  void eachLevelMakesABranchAndTheLastOneTheLeaf() {
    Placement placement = place(false, tag(1, 0, "host"), tag(0, 0, "dc"));

    assertThat(placement.branches())
        .containsExactly(Branch.root(1), new Branch(1, List.of("ROOT", "lga")));
    assertThat(placement.leaf()).contains(new Leaf("web01", SERIES.tsuid()));
  }

  @Test
  void ofALevelsRulesTheFirstThatYieldsANameCounts() {
    assertThat(path(tag(0, 7, "host"), tag(0, 2, "dc"), tag(0, 1, "nosuch")))
        .containsExactly("lga");
  }

  @Test
  void aLevelWithoutANameIsSkipped() {
    assertThat(path(tag(0, 0, "dc"), tag(1, 0, "nosuch"), tag(5, 0, "host")))
        .containsExactly("lga", "web01");
  }

  @Test
  void theLastNameIsTheLeafWhateverLevelsFollow() {
    Placement placement = place(false, tag(0, 0, "dc"), tag(1, 0, "nosuch"));

    assertThat(placement.branches()).containsExactly(Branch.root(1));
    assertThat(placement.leaf()).contains(new Leaf("lga", SERIES.tsuid()));
  }

  @Test
  void strictMatchWantsANameFromEveryLevel() {
    assertThat(place(true, tag(0, 0, "dc"), tag(1, 0, "host")).path()).hasSize(2);

    Placement missed = place(true, tag(0, 0, "dc"), tag(1, 0, "nosuch"));
    assertThat(missed.path()).isEmpty();
    assertThat(missed.leaf()).isEmpty();
    assertThat(missed.branches()).isEmpty();
    assertThat(missed.missed()).containsExactly(tag(1, 0, "nosuch"));
  }

  @Test
  void aTreeWithoutAMatchOrWithoutRulesHasNoPlaceForASeries() {
    assertThat(place(false, tag(0, 0, "nosuch")).leaf()).isEmpty();
    assertThat(place(false).leaf()).isEmpty();
  }

  @Test
  void aSeparatorMakesABranchOfEveryPiece() {
    TreeRule split = TreeRule.at(1, 0, 0).of(RuleType.METRIC).splitAt("\\.").shownAs("<{value}>");

    assertThat(path(split, tag(1, 0, "host"))).containsExactly("<sys>", "<cpu>", "<user>", "web01");
  }

  @Test
  void piecesWithoutANameAreLeftOut() {
    TreeRule split = TreeRule.at(1, 0, 0).of(RuleType.METRIC).splitAt("[us.]");

    assertThat(path(split)).containsExactly("y", "cp", "er");
  }

  @Test
  void aRegexTakesAGroupAndGoesBeforeTheSeparator() {
    TreeRule regex =
        TreeRule.at(1, 0, 0).of(RuleType.METRIC).withRegex("(\\w+)\\.(\\w+)", 1).splitAt("\\.");

    assertThat(path(regex)).containsExactly("cpu");
  }

  @Test
  void aRegexThatTakesNothingDoesNotMatch() {
    TreeRule empty = TreeRule.at(1, 0, 0).of(RuleType.TAGK, "host").withRegex("web(x?)", 0);

    assertThat(path(empty, tag(0, 1, "dc"))).containsExactly("lga");
  }

  @Test
  void customFieldsAreThoseOfTheNameTheRuleIsAbout() {
    assertThat(path(custom(RuleType.METRIC_CUSTOM, "sys.cpu.user", "owner")))
        .containsExactly("ops");
    assertThat(path(custom(RuleType.TAGK_CUSTOM, "host", "room"))).containsExactly("r1");
    assertThat(path(custom(RuleType.TAGV_CUSTOM, "lga", "city"))).containsExactly("New York");
    assertThat(path(custom(RuleType.TAGK_CUSTOM, "dc", "room"))).isEmpty();
    assertThat(path(custom(RuleType.TAGV_CUSTOM, "web01", "city"))).isEmpty();
  }

  @Test
  void aDisplayFormatPutsTheNameTogether() {
    String format = "{tag_name}={value} of {ovalue} ({tsuid})";
    TreeRule rule =
        TreeRule.at(1, 0, 0).of(RuleType.TAGK, "host").withRegex("([a-z]+)", 0).shownAs(format);

    assertThat(path(rule)).containsExactly("host=web of web01 (" + SERIES.tsuid() + ")");
  }

  @Test
  void theTagNameOfACustomRuleIsItsFieldAndAMetricHasNone() {
    TreeRule custom =
        TreeRule.at(1, 0, 0)
            .ofCustom(RuleType.TAGV_CUSTOM, "lga", "city")
            .shownAs("{tag_name}:{value}");
    TreeRule metric = TreeRule.at(1, 1, 0).of(RuleType.METRIC).shownAs("[{tag_name}]");

    assertThat(path(custom, metric)).containsExactly("city:New York", "[]");
  }

  @Test
  void aRuleThatCanNotBeAppliedIsNamed() {
    TreeRule bad = TreeRule.at(1, 3, 2).of(RuleType.METRIC).withRegex("(", 0);
    assertThatThrownBy(() -> place(false, bad))
        .isInstanceOf(RequestException.class)
        .hasMessageStartingWith("rule [1:3:2:METRIC]: regular expression '('");

    TreeRule endless = TreeRule.at(1, 3, 2).of(RuleType.METRIC).withRegex("(.*)*\\1.*z{9}", 0);
    TreeSeries series = new TreeSeries("01", new Named("s".repeat(400), Map.of()), List.of());
    TreeBuilder builder = new TreeBuilder(new Tree(1, TreeDefinition.named("T"), List.of(endless)));
    assertThatThrownBy(() -> builder.place(series))
        .isInstanceOf(RequestException.class)
        .hasMessageStartingWith("rule [1:3:2:METRIC]: regular expression")
        .hasMessageContaining("steps");
  }

  @Test
  void messagesTellHowThePlaceWasFound() {
    TreeRule split = TreeRule.at(1, 1, 0).of(RuleType.METRIC).splitAt("\\.");

    assertThat(place(false, tag(0, 0, "nosuch"), tag(0, 1, "dc"), split).messages())
        .containsExactly(
            "Processing rule: [1:0:0:TAGK]",
            "No match on tagk [nosuch] for rule: [1:0:0:TAGK]",
            "Processing rule: [1:0:1:TAGK]",
            "Matched tagk [dc] for rule: [1:0:1:TAGK]",
            "Processing rule: [1:1:0:METRIC]",
            "Processing rule: [1:1:0:METRIC]",
            "Processing rule: [1:1:0:METRIC]",
            "Depth [5] Adding leaf [name: user tsuid: 000001000001000001000002000002]"
                + " to parent branch [Name: [cpu]]",
            "Depth [4] Adding branch: Name: [cpu] to parent: Name: [sys]",
            "Depth [3] Adding branch: Name: [sys] to parent: Name: [lga]");
  }

  @Test
  void rulesOfOnePlaceAreSortedByLevelThenOrder() {
    assertThat(
            new Tree(
                    1,
                    TreeDefinition.named("T"),
                    List.of(
                        rule(2, 0, RuleType.METRIC),
                        rule(1, 10, RuleType.METRIC),
                        rule(1, 9, RuleType.METRIC)))
                .rules())
        .extracting(TreeRule::toString)
        .containsExactly("[1:1:9:METRIC]", "[1:1:10:METRIC]", "[1:2:0:METRIC]");
  }
}
