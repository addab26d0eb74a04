package org.hourstone.api.endpoint;

import java.util.Comparator;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;

/** How annotations are requested and listed ({@code hourstone.strict=requests}). */
public enum AnnotationDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB orders them by their starts as given, whether seconds or milliseconds. */
    @Override
    public Comparator<Annotation> order() {
      return Comparator.comparingLong(Annotation::startTime);
    }

    /** OpenTSDB has no milliseconds here. */
    @Override
    public long time(long millis) {
      return millis / 1000;
    }

    /** OpenTSDB lists none if there are some in the rows it has read, but not in the range. */
    @Override
    public boolean listsNone() {
      return true;
    }

    /** OpenTSDB lists none if it is to list none and global ones. */
    @Override
    public void check(boolean none, boolean global) {}
  };

  /** In which annotations are listed. */
  public Comparator<Annotation> order() {
    return Comparator.comparingLong(Annotation::startMillis);
  }

  /** The time of an annotation that a query string has in milliseconds: exactly that. */
  public long time(long millis) {
    return millis % 1000 == 0 || !Timestamps.isMillis(millis) ? millis / 1000 : millis;
  }

  /** Whether an empty list of annotations is returned if rows that were read have others. */
  public boolean listsNone() {
    return false;
  }

  /**
   * @throws RequestException if no annotations are requested, and global ones
   */
  public void check(boolean none, boolean global) {
    if (none && global) {
      throw new RequestException("globalAnnotations contradicts noAnnotations");
    }
  }
}
