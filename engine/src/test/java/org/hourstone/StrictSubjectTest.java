package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StrictSubjectTest {
  private static Set<StrictSubject> subjects(String text) {
    return TsdbOptions.defaults().with(Settings.STRICT, text).get(Settings.STRICT);
  }

  @Test
  void strictModeIsAllSubjectsAndTheDefaultNone() {
    assertThat(TsdbOptions.openTsdbDefaults().get(Settings.STRICT))
        .isEqualTo(EnumSet.allOf(StrictSubject.class));
    assertThat(TsdbOptions.defaults().get(Settings.STRICT)).isEmpty();
  }

  @Test
  void subjectsAreReadFromLeftToRight() {
    assertThat(subjects("filters, doubles"))
        .containsExactlyInAnyOrder(StrictSubject.FILTERS, StrictSubject.DOUBLES);
    assertThat(subjects("all,-requests,-hours"))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(StrictSubject.REQUESTS, StrictSubject.HOURS)));
    assertThat(subjects("all,none,rows")).containsExactly(StrictSubject.ROWS);
    assertThat(subjects("-rows")).isEmpty();
  }

  @Test
  void anotherWordIsAnErrorThatNamesAll() {
    for (String text :
        new String[] {"", "filter", "filters,", "true", "-", "all;rows", "Filters"}) {
      assertThatThrownBy(() -> subjects(text))
          .describedAs(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "hourstone.strict="
                  + text
                  + ": must be all, none or subjects, separated by commas: salt, points, uids, ");
    }
  }

  @Test
  void everyFormerKeyHasANameThatIsASetting() {
    Map<String, String> former = Settings.byFormerKey();
    assertThat(former)
        .hasSize(30)
        .containsEntry("hourstone.query.early_doubles", "hourstone.strict=doubles");
    former.forEach(
        (key, name) -> {
          String[] parts = name.split("=");
          assertThat(Settings.find(key)).as(key).isEmpty();
          Setting<?> setting = Settings.find(parts[0]).orElseThrow();
          if (parts.length == 2) {
            assertThat(TsdbOptions.defaults().with(setting, parts[1]).get(Settings.STRICT))
                .hasSize(1);
          }
        });
  }
}
