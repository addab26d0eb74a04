package org.hourstone.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProseTest {
  private static final Pattern PHRASE =
      Pattern.compile("\\bheld back\\b", Pattern.CASE_INSENSITIVE);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "are held\nback",
        "  /**\n   * Points are held\n   * back.\n   */",
        "    // held\n    // back",
        "# held\n# back",
        "\"points are held\"\n        + \" back\"",
        "hourstone.held_back",
        "HELD_BACK",
        "isHeldBack()",
        "numberHeldBACK",
      })
  void aPhraseIsFoundAcrossLinesAndInNames(String text) {
    assertThat(new Prose(text).uses(PHRASE)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"are held.\n\nback", "held;\n  back", "upheld back", "heldback"})
  void otherTextIsNotFound(String text) {
    assertThat(new Prose(text).uses(PHRASE)).isEmpty();
  }

  @Test
  void aUseIsNamedByItsLine() {
    assertThat(new Prose("one\ntwo\nare held\nback, four").uses(PHRASE))
        .containsExactly("3: …one two are held back, four…");
  }
}
