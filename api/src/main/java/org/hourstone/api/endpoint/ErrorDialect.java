package org.hourstone.api.endpoint;

import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.rollup.NoSuchRollupException;

/**
 * How errors are reported for which OpenTSDB's message doesn't name the fault ({@code
 * hourstone.strict=points}).
 */
public enum ErrorDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB doesn't store it and reports no error. */
    @Override
    public boolean repliesUnreadable() {
      return false;
    }

    /** As by OpenTSDB, whatever the reason; many collectors then drop the points. */
    @Override
    public int ofUnstoredPoints() {
      return ApiException.BAD_REQUEST;
    }

    /** As by OpenTSDB, whose clients know it. */
    @Override
    public int ofFailedStore() {
      return ApiException.STORAGE_ERROR;
    }

    /** OpenTSDB takes it for its own failure. */
    @Override
    public RuntimeException noRollup(NoSuchRollupException e) {
      return new TsdbException(TsdbException.Category.CORRUPTION, e.getMessage(), e);
    }

    /** OpenTSDB doesn't catch the exception here, either. */
    @Override
    public RuntimeException invalidUid(RequestException e) {
      return ApiException.internal(String.valueOf(e.getMessage()));
    }

    /** OpenTSDB doesn't catch the exception here, unlike elsewhere. */
    @Override
    public RuntimeException wrongAnnotation(RuntimeException e) {
      return ApiException.internal(String.valueOf(e.getMessage()));
    }
  };

  /** Whether a telnet line whose histogram can't be read has a reply. */
  public boolean repliesUnreadable() {
    return true;
  }

  /**
   * The status if some points were not stored that may be if they are sent again. Collectors drop
   * points after 4xx and send them again after 5xx.
   */
  public int ofUnstoredPoints() {
    return ApiException.UNAVAILABLE;
  }

  /**
   * The status of any other request for which the store fails: it was not wrong, and may succeed if
   * it is sent again.
   */
  public int ofFailedStore() {
    return ApiException.UNAVAILABLE;
  }

  /** No such rollup is configured. */
  public RuntimeException noRollup(NoSuchRollupException e) {
    return e;
  }

  /** A UID or its type can't be read from a request for metadata. */
  public RuntimeException invalidUid(RequestException e) {
    return e;
  }

  /** An annotation, or its time, can't be read from a request. */
  public RuntimeException wrongAnnotation(RuntimeException e) {
    return e;
  }
}
