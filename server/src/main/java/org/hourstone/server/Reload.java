package org.hourstone.server;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.jspecify.annotations.Nullable;

/**
 * What a server reads again while it runs: its accounts, and its certificate with the key. All
 * files are read before any is used, so if one of them can't be used, all stay as they were.
 * Requests are authenticated by the accounts of their time; a connection keeps the certificate with
 * which it began. Thread-safe.
 */
final class Reload {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private final TsdbOptions settings;
  private final Authentication authentication;
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile @Nullable Tls tls;

  /**
   * @throws IllegalArgumentException if the settings or a file are invalid
   */
  Reload(TsdbOptions settings) {
    this.settings = settings;
    this.authentication = Authentication.of(settings);
    this.tls = Tls.of(settings);
  }

  Authentication authentication() {
    return authentication;
  }

  /** The present certificate; null if the port accepts plain connections. */
  @Nullable Tls tls() {
    return tls;
  }

  /** Whether there is anything to read again. */
  static boolean hasFiles(TsdbOptions settings) {
    return settings.get(DaemonSettings.AUTHENTICATION)
        || !settings.get(DaemonSettings.TLS_CERTIFICATE).isEmpty();
  }

  /**
   * Reads the files again.
   *
   * @return which were read
   * @throws IllegalArgumentException if one of them can't be used; nothing has changed then
   */
  synchronized List<String> run() {
    List<String> read = new ArrayList<>();
    try {
      Accounts accounts = Authentication.accounts(settings);
      Tls newTls = Tls.of(settings);
      if (accounts != null) {
        authentication.use(accounts);
        read.add(settings.get(DaemonSettings.ACCOUNTS));
      }
      if (newTls != null) {
        tls = newTls;
        read.add(settings.get(DaemonSettings.TLS_CERTIFICATE));
        read.add(settings.get(DaemonSettings.TLS_KEY));
      }
    } catch (IllegalArgumentException e) {
      failed.increment();
      LOG.log(Level.WARNING, "nothing is reloaded: " + e.getMessage());
      throw e;
    }
    done.increment();
    LOG.log(Level.INFO, "reloaded: " + (read.isEmpty() ? "no files" : String.join(", ", read)));
    return read;
  }

  List<Statistic> statistics() {
    return List.of(
        new Statistic("server.reloads", done.sum(), Map.of("type", "done")),
        new Statistic("server.reloads", failed.sum(), Map.of("type", "failed")));
  }
}
