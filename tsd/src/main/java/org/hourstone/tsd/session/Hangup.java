package org.hourstone.tsd.session;

import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;

/**
 * The signal SIGHUP, with which daemons are asked to read their files again. The JDK has no
 * supported way to receive it: this uses {@code sun.misc.Signal}, of the module jdk.unsupported, by
 * reflection, since compilers warn of it. Where it is missing, the signal ends the process as it
 * does by default.
 */
public final class Hangup {
  private static final System.Logger LOG = System.getLogger("org.hourstone.tsd");

  private Hangup() {}

  /**
   * From now on the signal runs an action, on a thread of its own.
   *
   * @param action must not throw
   */
  public static void runs(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object own =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == handler) {
                  action.run();
                  return null;
                }
                return switch (method.getName()) { // of Object
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> arguments != null && proxy == arguments[0];
                  default -> "Hangup";
                };
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), own);
    } catch (ReflectiveOperationException
        | RuntimeException e) { // or the system has no such signal
      LOG.log(Level.DEBUG, "SIGHUP is not received", e);
    }
  }
}
