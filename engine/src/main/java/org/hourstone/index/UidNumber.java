package org.hourstone.index;

/** UIDs, of at most 8 bytes, as numbers. */
final class UidNumber {
  private UidNumber() {}

  static long of(byte[] uid) {
    return of(uid, 0, uid.length);
  }

  static long of(byte[] bytes, int from, int width) {
    long number = 0;
    for (int i = from; i < from + width; i++) {
      number = (number << 8) | (bytes[i] & 0xFF);
    }
    return number;
  }

  static byte[] bytes(long number, int width) {
    byte[] uid = new byte[width];
    for (int i = width - 1; i >= 0; i--) {
      uid[i] = (byte) number;
      number >>>= 8;
    }
    return uid;
  }
}
