package org.hourstone.api.request;

import java.util.Locale;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.TsdbException;
import org.hourstone.health.DiskReserveException;
import org.hourstone.index.SeriesLimitException;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.write.InvalidNumberException;

/** Why a write was refused. The first four have OpenTSDB's names. */
public enum RefusalReason {
  /** Its text, its names or its time are wrong. */
  ILLEGAL_ARGUMENTS,
  /** Its value is not a number. */
  INVALID_VALUES,
  /** It has a name that is unknown and is not created. */
  UNKNOWN_METRICS,
  /** The store, whichever it is, did not accept it. */
  HBASE_ERRORS,
  /** The store's disk is nearly full. */
  DISK_RESERVE,
  /** It would be the first of a series beyond a limit of their number. */
  SERIES_LIMIT,
  /** The server has no memory, thread or room for it. */
  OVERLOADS,
  /** Its sender gave no account, or a wrong password or token. */
  FAILED_LOGINS,
  /** Its connection has no TLS, or the handshake failed; anyone who finds the port causes that. */
  FAILED_HANDSHAKES,
  /** A fault of the server. */
  INTERNAL_ERRORS;

  /** The value of the tag {@code type} of {@code tsd.rpc.errors}. */
  String type() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static RefusalReason of(Throwable e) {
    if (e instanceof ApiException own) {
      return own.reason();
    }
    if (e instanceof OutOfMemoryError) {
      return OVERLOADS;
    }
    if (e instanceof InvalidNumberException) {
      return INVALID_VALUES;
    }
    if (e instanceof NoSuchNameException) {
      return UNKNOWN_METRICS;
    }
    if (e instanceof SeriesLimitException) {
      return SERIES_LIMIT;
    }
    if (e instanceof TsdbException known) {
      return switch (known.category()) {
        case REQUEST, NOT_FOUND, LIMIT -> ILLEGAL_ARGUMENTS;
        case CANCELLED -> OVERLOADS;
        case CORRUPTION, STORE -> HBASE_ERRORS;
      };
    }
    if (e instanceof DiskReserveException) {
      return DISK_RESERVE;
    }
    boolean isOfStore = e instanceof StoreException || e instanceof CorruptDataException;
    return isOfStore ? HBASE_ERRORS : INTERNAL_ERRORS;
  }

  /** That of a whole request, by the status of its response. */
  static RefusalReason ofStatus(int status) {
    return switch (status) {
      case ApiException.UNAUTHORIZED -> FAILED_LOGINS;
      case ApiException.UNAVAILABLE -> OVERLOADS;
      case ApiException.STORAGE_ERROR -> HBASE_ERRORS;
      case ApiException.INTERNAL_ERROR -> INTERNAL_ERRORS;
      default -> ILLEGAL_ARGUMENTS;
    };
  }
}
