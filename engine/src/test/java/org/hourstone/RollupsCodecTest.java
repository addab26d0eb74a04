package org.hourstone;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.hourstone.kv.Columns;
import org.junit.jupiter.api.Test;

class RollupsCodecTest {
  private final RollupsCodec codec = new RollupsCodec();

  /** A write time of -1 would be that of a cell whose time the store assigns. */
  @Test
  void anAgeOfMoreThanTheTimeOfTheNewestCellIsRefused() {
    byte[] form = {0x60, 1, 6, 3, 1, 0, 0, 0x10, 7};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(form, 0, form.length, 5, Columns.all()));
  }

  /** A store finds a cell by halving, and a row has no two cells of one qualifier. */
  @Test
  void cellsThatDoNotAscendAreRefused() {
    byte[] form = {0x60, 2, 0, 3, 1, 0, 0, 0x10, 7, 0, 3, 1, 0, 0, 0x10, 8};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(form, 0, form.length, 5, Columns.all()));
  }

  /** Such a cell could not be deleted, as others of its qualifier are not in the place. */
  @Test
  void cellsThatAreNotCodedAreRefused() {
    byte[] form = {0x60, 1, 0, 4, 1, 0, 0, 0, 0x10, 7};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(form, 0, form.length, 5, Columns.all()));
  }
}
