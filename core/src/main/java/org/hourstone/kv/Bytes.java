package org.hourstone.kv;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A byte string as a value: equal by content, ordered as unsigned bytes, printed as lower-case hex.
 * For map keys and messages; the SPI itself uses {@code byte[]}.
 *
 * @param array not copied; must not change while this is used as a key
 */
public record Bytes(byte[] array) implements Comparable<Bytes> {
  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(array);
  }
}
