package org.hourstone.meta;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.uid.UidKind;

/** Any value of a cell is metadata, or named as corrupt. */
class MetaFuzzTest {
  @FuzzTest(maxExecutions = 50_000)
  void valuesAreReadOrNamedAsCorrupt(byte[] value) {
    try {
      byte[] stored = UidMeta.ofStored(UidKind.TAGK, value).toStored();
      assertThat(UidMeta.ofStored(UidKind.TAGK, stored).toStored()).isEqualTo(stored);
    } catch (CorruptDataException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    try {
      byte[] stored = TsMeta.ofStored(value).toStored();
      assertThat(TsMeta.ofStored(stored).toStored()).isEqualTo(stored);
    } catch (CorruptDataException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
