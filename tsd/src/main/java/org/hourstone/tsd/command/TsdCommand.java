package org.hourstone.tsd.command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hourstone.DaemonSettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.head.HeadStats;
import org.hourstone.server.Descriptors;
import org.hourstone.server.Server;
import org.hourstone.server.ServerOptions;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.DaemonJobs;
import org.hourstone.tsd.session.GivenSettings;
import org.hourstone.tsd.session.Hangup;
import org.hourstone.tsd.session.LogLines;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.Systemd;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.session.Version;
import org.hourstone.tsd.view.Picture;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tsd}: the daemon. */
@Command(
    name = "tsd",
    description = {
      "Serves OpenTSDB's HTTP API and telnet-style protocol on one port, until it is stopped by"
          + " Ctrl-C or SIGTERM: then no more connections are accepted, requests in progress are"
          + " completed, points are written, and the exit status is 0.",
    },
    footer = {
      "  hourstone tsd",
      "  hourstone --store rocksdb:/var/lib/hourstone tsd --port 4242 --bind 0.0.0.0",
      "  hourstone --config opentsdb.conf tsd"
    })
public final class TsdCommand extends SessionCommand {
  private static final System.Logger LOG = System.getLogger("org.hourstone.tsd");

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on; by default tsd.network.port, which is 4242 if not set.")
  @Nullable Integer port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "Address to listen on; by default tsd.network.bind, which is 127.0.0.1 if not set.")
  @Nullable String address;

  @Option(names = "--auto-metric", description = "Creates metrics when they are first put.")
  boolean autoMetric;

  @Option(
      names = "--self-monitor",
      description =
          "Writes the daemon's own statistics into its database each minute;"
              + " hourstone.self_monitor_seconds sets another interval.")
  boolean selfMonitor;

  /** OpenTSDB's, so that its start scripts work. */
  @Option(
      names = {
        "--async-io",
        "--backlog",
        "--cachedir",
        "--flush-interval",
        "--max-connections",
        "--staticroot",
        "--statswport",
        "--worker-threads"
      },
      hidden = true)
  List<String> withoutEffect = new ArrayList<>();

  /** If files are read again after SIGHUP. */
  private @Nullable Hangup hangup;

  @Override
  public String whenInUse() {
    return "stop it, or give this daemon another --store";
  }

  /**
   * A wrong setting is wrong usage: by that a supervisor knows that no restart corrects it. What is
   * elsewhere, such as the file or the address that it names, may be another one at the next start.
   */
  @Override
  protected boolean run() throws InterruptedException {
    try {
      return serve();
    } catch (CommandException e) {
      if (e.getCause() instanceof IllegalArgumentException && !isElsewhere(e)) {
        throw new UsageException(String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  private static boolean isElsewhere(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof IOException) {
        return true;
      }
    }
    return false;
  }

  private boolean serve() throws InterruptedException {
    if (port != null) {
      session().settings().set("--port", DaemonSettings.PORT, port.toString());
    }
    if (address != null) {
      if (new InetSocketAddress(address, 0).isUnresolved()) {
        throw new UsageException("--bind " + address + ": unknown address");
      }
      session().settings().set("--bind", DaemonSettings.BIND, address);
    }
    if (autoMetric) {
      session().settings().set("--auto-metric", Settings.AUTO_CREATE_METRICS, "true");
    }
    if (selfMonitor) {
      session().settings().set("--self-monitor", DaemonSettings.SELF_MONITOR, "60");
    }
    TsdbOptions settings = beginLog();
    if (!settings.get(DaemonSettings.AUTHENTICATION)
        && !settings.get(DaemonSettings.ACCOUNTS).isEmpty()) {
      session()
          .report(
              DaemonSettings.ACCOUNTS.key()
                  + " has no effect: "
                  + DaemonSettings.AUTHENTICATION.key()
                  + " is not true, 1 or yes");
    }
    ServerOptions options =
        GivenSettings.given(() -> ServerOptions.of(session().settings().options()));
    if (!options.address().getAddress().isLoopbackAddress()) {
      warnOfNetwork(settings, options.address().getAddress().getHostAddress());
    }
    checkIsFree(options.address());
    String shortage = Descriptors.shortage(true);
    if (!shortage.isEmpty()) {
      throw new CommandException(shortage);
    }
    try (Tsdb db = session().store().openAsWriter()) {
      session().ending().countsStored(db.writer()::stored);
      session().ending().serves();
      logReplay(db.headStats());
      try (Server server = start(db, options)) {
        if (hangup != null) {
          hangup.runs(() -> reload(server));
        }
        server.whenAskedToStop(session().ending()::stopServing);
        String serving =
            "serving "
                + session().settings().storeUri()
                + " on "
                + text(
                    new InetSocketAddress(
                        options.address().getAddress(), server.address().getPort()));
        serving(serving);
        systemd().ready(SingleLine.of(serving));
        if (settings.get(DaemonSettings.WARM_UP)) {
          server.warmUp();
        }
        session().ending().serveUntilStopped();
        logEnding("stopping " + session().ending().reason());
      }
    }
    logEnding("stopped");
    return true;
  }

  private Systemd systemd() {
    return new Systemd(session().streams().environment());
  }

  private void warnOfNetwork(TsdbOptions settings, String address) {
    if (!settings.get(DaemonSettings.AUTHENTICATION)) {
      session()
          .report(
              "every client that reaches "
                  + address
                  + " may read, write and delete: there is no authentication ("
                  + DaemonSettings.AUTHENTICATION.key()
                  + ")");
    } else if (settings.get(DaemonSettings.TLS_CERTIFICATE).isEmpty()) {
      session()
          .report(
              "passwords and tokens of clients that connect to "
                  + address
                  + " can be read on their way: there is no certificate ("
                  + DaemonSettings.TLS_CERTIFICATE.key()
                  + ")");
    }
  }

  /** Reads the settings and begins the log, with what the daemon is and has. */
  private TsdbOptions beginLog() {
    session().holdReports(); // the form of the log is a setting, too
    TsdbOptions settings;
    try {
      settings = session().settings().options();
    } catch (RuntimeException e) {
      session().reportTo(null);
      throw e;
    }
    hangup = Server.hasFiles(settings) || systemd().isPresent() ? Hangup.caught() : null;
    LogLines.use(isJson());
    session().reportTo(isJson() ? LOG : null);
    LOG.log(Level.INFO, "hourstone {0} on Java {1}", Version.build(), Runtime.version());
    LOG.log(
        Level.INFO,
        "heap: {0} MB, processors: {1}",
        Long.toString(Runtime.getRuntime().maxMemory() >> 20),
        Runtime.getRuntime().availableProcessors());
    LOG.log(Level.INFO, "store: " + SingleLine.of(session().settings().storeUri()));
    Path file = session().settings().file();
    LOG.log(
        Level.INFO, file == null ? "no file of settings" : "settings: " + file.toAbsolutePath());
    TsdbOptions defaults =
        session().settings().isStrict() ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    Settings.all().stream()
        .filter(setting -> !settings.text(setting).equals(defaults.text(setting)))
        .sorted(Comparator.comparing(Setting::key))
        .forEach(
            setting ->
                LOG.log(
                    Level.INFO,
                    "setting: " + setting.key() + "=" + SingleLine.of(settings.text(setting))));
    return settings;
  }

  private boolean isJson() {
    return session().settings().options().get(DaemonSettings.LOG_FORMAT).equals("json");
  }

  private static void logReplay(@Nullable HeadStats head) {
    if (head != null && head.rows() > 0) {
      LOG.log(
          Level.INFO,
          "replayed the journal: {0} open rows, {1} bytes",
          Long.toString(head.rows()),
          Long.toString(head.journalBytes()));
    }
  }

  /** Announces the address: a line of the log if that is JSON, else on standard output. */
  private void serving(String line) {
    if (isJson()) {
      LOG.log(Level.INFO, line);
    } else {
      out().line(line);
      out().flush();
    }
  }

  private void logEnding(String what) {
    LogLines.whileEnding(isJson(), session().err(), "org.hourstone.tsd", what);
  }

  private static void reload(Server server) {
    try {
      server.reload();
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "not reloaded", e); // the server has logged why
    }
  }

  private Server start(Tsdb db, ServerOptions options) {
    try {
      return Server.start(
          db, Version.build(), options, Picture::new, new DaemonJobs(session(), db));
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw cannotListen(options.address(), e);
    }
  }

  /** Checks the address before a store is created that could not be served. */
  private static void checkIsFree(InetSocketAddress address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as the server does
      socket.bind(address);
    } catch (IOException e) {
      throw cannotListen(address, e);
    }
  }

  private static CommandException cannotListen(InetSocketAddress address, IOException e) {
    return new CommandException(
        "can't listen on "
            + text(address)
            + " ("
            + DaemonSettings.BIND.key()
            + ", "
            + DaemonSettings.PORT.key()
            + "): "
            + Problem.reason(e),
        e);
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
