package org.hourstone.api.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hourstone.uid.NameRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of other protocols are stored reversibly. */
class EscapedNamesTest {
  private static final int RANDOM = Integer.getInteger("names.random", 100_000);
  private static final NameRules RULES = new NameRules("", false, 8);
  private static final NameRules WIDE = new NameRules(" :%", true, 8);

  private static String escaped(String name) {
    return EscapedNames.escaped(name, RULES);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu.user, cpu.user",
    "a-b_c/d, a-b_c/d",
    "caf\u00e9, caf\u00e9",
    "'', U__",
    "/a b:c, U__/a_20_b_3a_c",
    "a_b c, U__a__b_20_c",
    "U__, U__U____",
    "U__x, U__U____x",
    "U_, U_",
    "\u20ac, U___20ac_",
    "\uD83D\uDE00, U___1f600_",
    "'\n', U___a_",
  })
  void aNameIsKeptIfItIsAllowedAndElseEscaped(String name, String stored) {
    assertThat(escaped(name)).isEqualTo(stored);
    assertThat(EscapedNames.original(stored)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "U__a", // not one that had to be escaped
        "U__a__b",
        "U___zz_",
        "U___20",
        "U___",
        "U___020_", // another spelling of what is stored as U___20_
        "U___2F_",
        "U___110000_",
        "U___1234567_",
        "U___d800_", // half of a pair, which has no form in UTF-8
        "U___dfff_",
        "U__caf\u00e9",
        "u__a_20_b",
      })
  void aNameThatBeginsAsAnEscapedOneIsLeftAlone(String stored) {
    assertThat(EscapedNames.original(stored)).isEqualTo(stored);
  }

  /** They would all be stored as question marks. */
  @Test
  void lettersOutsideLatin1AreEscapedEvenIfTheyAreAllowed() {
    for (NameRules rules : List.of(RULES, WIDE)) {
      assertThat(EscapedNames.escaped("\u4e2d", rules)).isEqualTo("U___4e2d_");
    }
    assertThat(EscapedNames.escaped("a b", WIDE)).isEqualTo("a b");
  }

  @Test
  void everyNameIsAllowedLeadsBackAndHasItsOwn() {
    Random random = new Random(1);
    for (NameRules rules : List.of(RULES, WIDE)) {
      Map<String, String> names = new HashMap<>();
      for (int i = 0; i < RANDOM; i++) {
        String name = name(random);
        String stored = EscapedNames.escaped(name, rules);
        assertThat(rules.allows(stored)).as(name).isTrue();
        assertThat(stored.chars().allMatch(c -> c <= 0xFF)).as(name).isTrue();
        assertThat(EscapedNames.original(stored)).as(stored).isEqualTo(name);
        assertThat(names.putIfAbsent(stored, name)).as(stored).isIn(null, name);
      }
    }
  }

  private static String name(Random random) {
    List<String> parts =
        List.of("U__", "_", "__", "a", "20", "_20_", " ", "/", "\u00e9", "\u4e2d", "\uD83D\uDE00");
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      name.append(parts.get(random.nextInt(parts.size())));
    }
    return name.toString();
  }
}
