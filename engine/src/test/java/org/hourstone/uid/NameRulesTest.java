package org.hourstone.uid;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameRulesTest {
  private final NameRules rules = new NameRules("", false, 8);

  @ParameterizedTest
  @ValueSource(strings = {"a", "sys.cpu-user_0/x", "-", ".", "/", "aéb", "0"})
  void lettersDigitsAndFourCharactersAreLegal(String name) {
    assertThatCode(() -> rules.check("metric name", name)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "'', Invalid metric name: empty string",
    "a b, 'Invalid metric name (\"a b\"): illegal character:  '",
    "a*b, 'Invalid metric name (\"a*b\"): illegal character: *'",
    "a=b, 'illegal character: ='",
    "a:b, 'illegal character: :'",
    "中文, not in ISO-8859-1",
    "Ж, not in ISO-8859-1",
  })
  void otherNamesAreRefusedWithTheirFirstBadCharacter(String name, String message) {
    assertThatThrownBy(() -> rules.check("metric name", name))
        .isInstanceOf(RequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void charactersCanBeAllowed() {
    NameRules lenient = new NameRules(": ", true, 8);
    assertThatCode(() -> lenient.check("metric name", "a: 中")).doesNotThrowAnyException();
  }

  @Test
  void theNumberOfTagsIsLimited() {
    assertThatThrownBy(() -> rules.checkSeries("m", Map.of()))
        .hasMessage("Need at least one tag (metric=m, tags={})");
    Map<String, String> nine = new LinkedHashMap<>();
    for (int i = 0; i < 9; i++) {
      nine.put("k" + i, "v");
    }
    assertThatThrownBy(() -> rules.checkSeries("m", nine))
        .hasMessageContaining("Too many tags: 9 maximum allowed: 8");
    nine.remove("k8");
    assertThatCode(() -> rules.checkSeries("m", nine)).doesNotThrowAnyException();
  }

  @Test
  void tagsAreNamedWithTheirOtherHalf() {
    assertThatThrownBy(() -> rules.checkSeries("m", Map.of("k k", "v")))
        .hasMessage("Invalid tag name with value [v] (\"k k\"): illegal character:  ");
    assertThatThrownBy(() -> rules.checkSeries("m", Map.of("k", "v=v")))
        .hasMessage("Invalid tag value with key [k] (\"v=v\"): illegal character: =");
  }
}
