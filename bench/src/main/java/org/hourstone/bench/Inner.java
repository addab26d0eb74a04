package org.hourstone.bench;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import org.hourstone.api.Api;
import org.hourstone.write.PointWriter;
import org.hourstone.write.TextPoints;

/**
 * Calls of methods that are not public, by benchmarks of single steps only: so that these need not
 * be in the packages of other modules. The constant handles are compiled as calls.
 */
final class Inner {
  private static final MethodHandle SCAN;
  private static final MethodHandle READ;
  private static final MethodHandle RAW;
  private static final MethodHandle NUMBER;

  static {
    try {
      Lookup api = MethodHandles.privateLookupIn(Api.class, MethodHandles.lookup());
      Class<?> dialect = api.findClass("org.hourstone.api.BodyDialect");
      MethodHandle scan =
          api.findStatic(
              api.findClass("org.hourstone.api.PutScanner"),
              "scan",
              methodType(
                  api.findClass("org.hourstone.api.ScannedPuts"),
                  byte[].class,
                  int.class,
                  TextPoints.class,
                  dialect));
      SCAN =
          MethodHandles.insertArguments(scan, 3, dialect.getEnumConstants()[0])
              .asType(methodType(Object.class, byte[].class, int.class, TextPoints.class));
      Lookup write = MethodHandles.privateLookupIn(PointWriter.class, MethodHandles.lookup());
      Class<?> number = write.findClass("org.hourstone.write.ByteNumber");
      Class<?> width = write.findClass("org.hourstone.write.ByteNumber$Width");
      NUMBER =
          MethodHandles.insertArguments(
              write.findConstructor(number, methodType(void.class, width)),
              0,
              width.getEnumConstants()[0]);
      READ =
          write
              .findVirtual(
                  number, "read", methodType(boolean.class, byte[].class, int.class, int.class))
              .asType(methodType(boolean.class, Object.class, byte[].class, int.class, int.class));
      RAW =
          write
              .findVirtual(number, "raw", methodType(long.class))
              .asType(methodType(long.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Inner() {}

  /** Adds the points of a put body to a batch. */
  static void scanPuts(byte[] body, TextPoints batch) throws Throwable {
    Object unused = (Object) SCAN.invokeExact(body, body.length, batch);
  }

  /** A reader of numbers from bytes, for one thread. */
  static Object numberReader() {
    try {
      return NUMBER.invoke();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The bits of the value that is stored.
   *
   * @throws IllegalArgumentException if the text is left to others
   */
  static long number(Object reader, byte[] text) throws Throwable {
    if (!(boolean) READ.invokeExact(reader, text, 0, text.length)) {
      throw new IllegalArgumentException("no number of a usual form");
    }
    return (long) RAW.invokeExact(reader);
  }
}
