package org.hourstone.api.otlp;

import java.util.List;

/** Numbers of fields of OTLP's messages that are read in several places. */
final class Otlp {
  /** Of {@code KeyValue}. */
  static final int KEY = 1;

  static final int VALUE = 2;

  /** Of {@code AnyValue}. */
  static final int STRING = 1;

  static final int BOOL = 2;
  static final int INT = 3;
  static final int DOUBLE = 4;
  static final int ARRAY = 5;
  static final int MAP = 6;
  static final int BYTES = 7;

  /** Of the flags of a data point: it says that there is no value. */
  static final int NO_RECORDED_VALUE = 1;

  /** The aggregation temporality of what has come since the data point before. */
  static final int DELTA = 1;

  /** Temporalities by their numbers, which JSON may have instead. */
  static final List<String> TEMPORALITIES =
      List.of(
          "AGGREGATION_TEMPORALITY_UNSPECIFIED",
          "AGGREGATION_TEMPORALITY_DELTA",
          "AGGREGATION_TEMPORALITY_CUMULATIVE");

  private Otlp() {}
}
