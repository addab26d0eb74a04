package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordFieldsTest {
  /** One field of each type. */
  public record Thing(
      String name,
      long when,
      int days,
      double max,
      boolean on,
      @Nullable Map<String, String> more) {
    public Thing {
      if (days < 0) {
        throw new RequestException("too few days");
      }
    }
  }

  private static final RecordFields<Thing> FIELDS =
      new RecordFields<>(Thing.class, Map.of("when", "created"));
  private static final Thing UNSET = new Thing("", 0, 0, Double.NaN, false, null);

  private static Thing read(String json) {
    return FIELDS.read(Json.read(json), Map.of("on", true));
  }

  @Test
  void missingAndNullFieldsAreUnset() {
    assertThat(read("{\"name\":null,\"max\":null,\"other\":1}"))
        .isEqualTo(FIELDS.with(UNSET, Map.of("on", true)));
    assertThat(FIELDS.any(field -> field.isSet(UNSET) && !field.name().equals("on"))).isFalse();
  }

  @Test
  void fieldsAreReadByTheirNamesInJson() {
    assertThat(
            read(
                "{\"created\":\"5\",\"days\":7,\"max\":\"NaN\",\"name\":\"n\",\"more\":{\"a\":1}}"))
        .isEqualTo(new Thing("n", 5, 7, Double.NaN, true, Map.of("a", "1")));
  }

  @Test
  void aRefusalOfTheRecordIsThrownAsItIs() {
    assertThatThrownBy(() -> read("{\"days\":-1}"))
        .isExactlyInstanceOf(RequestException.class)
        .hasMessage("too few days");
  }

  @Test
  void unsetFieldsAreTakenFromTheOther() {
    Thing stored = new Thing("old", 1, 2, 3, true, Map.of("a", "b"));
    assertThat(FIELDS.or(UNSET, stored)).isEqualTo(stored);
    assertThat(FIELDS.or(new Thing("new", 0, 0, 0, false, Map.of()), stored))
        .isEqualTo(new Thing("new", 1, 2, 0, true, Map.of()));
  }

  @Test
  void fieldsAreWrittenInTheGivenOrder() {
    assertThat(FIELDS.put(Json.object(), UNSET))
        .hasToString(
            "{\"name\":\"\",\"created\":0,\"days\":0,\"max\":\"NaN\",\"on\":false,\"more\":null}");
    assertThat(FIELDS.put(Json.object().put("first", 1), UNSET, "on name"))
        .hasToString("{\"first\":1,\"on\":false,\"name\":\"\"}");
  }
}
