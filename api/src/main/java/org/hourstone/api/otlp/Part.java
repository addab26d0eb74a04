package org.hourstone.api.otlp;

/** What a series has of the data points of a metric. */
enum Part {
  /** The value itself, or a quantile of a summary. */
  VALUE('v', ""),
  BUCKET('b', ".bucket"),
  SUM('s', ".sum"),
  COUNT('c', ".count"),
  MIN('l', ".min"),
  MAX('h', ".max");

  private final char code;
  private final String suffix;

  Part(char code, String suffix) {
    this.code = code;
    this.suffix = suffix;
  }

  /** The name of its series. */
  String of(String metric) {
    return metric + suffix;
  }

  /** The byte that denotes it in a key. */
  byte code() {
    return (byte) code;
  }

  static Part of(byte code) {
    for (Part each : values()) {
      if (each.code() == code) {
        return each;
      }
    }
    throw new IllegalArgumentException("no part has the code " + code);
  }
}
