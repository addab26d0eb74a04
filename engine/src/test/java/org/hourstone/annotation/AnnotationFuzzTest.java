package org.hourstone.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.hourstone.codec.CorruptDataException;

/** Any value of a cell is an annotation, or named as corrupt. */
class AnnotationFuzzTest {
  @FuzzTest(maxExecutions = 50_000)
  void valuesAreReadOrNamedAsCorrupt(byte[] value) {
    Annotation annotation;
    try {
      annotation = Annotation.ofStored(value);
    } catch (CorruptDataException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    byte[] stored = annotation.toStored();
    assertThat(Annotation.ofStored(stored).toStored()).isEqualTo(stored);
  }
}
