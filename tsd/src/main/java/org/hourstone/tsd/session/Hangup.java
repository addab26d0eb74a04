package org.hourstone.tsd.session;

import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The signal SIGHUP, with which daemons are asked to read their files again. One that comes while
 * the daemon starts is handled when it has started. The JDK has no supported way to receive it:
 * this uses {@code sun.misc.Signal}, of the module jdk.unsupported, by reflection, since compilers
 * warn of it. Where it is missing, the signal ends the process as it does by default. Thread-safe.
 */
public final class Hangup {
  private static final System.Logger LOG = System.getLogger("org.hourstone.tsd");

  private @Nullable Runnable action;
  private boolean hasCome;

  private Hangup() {}

  /** From now on the signal doesn't end the process. */
  public static Hangup caught() {
    Hangup hangup = new Hangup();
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object own =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == handler) {
                  hangup.come();
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
    return hangup;
  }

  private synchronized void come() {
    if (action == null) {
      hasCome = true;
      LOG.log(Level.INFO, "SIGHUP: the files are read again when the daemon has started");
    } else {
      action.run();
    }
  }

  /**
   * From now on the signal runs an action, on a thread of its own; if it has come before, the
   * action runs now.
   *
   * @param onSignal must not throw
   */
  public synchronized void runs(Runnable onSignal) {
    action = onSignal;
    if (hasCome) {
      hasCome = false;
      onSignal.run();
    }
  }
}
