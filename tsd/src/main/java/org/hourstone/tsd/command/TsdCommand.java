package org.hourstone.tsd.command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
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
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.session.Version;
import org.hourstone.tsd.view.Picture;
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

  @Override
  protected boolean run() throws InterruptedException {
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
    TsdbOptions settings = session().settings().options();
    if (!settings.get(DaemonSettings.AUTHENTICATION)
        && !settings.get(DaemonSettings.ACCOUNTS).isEmpty()) {
      session()
          .report(
              DaemonSettings.ACCOUNTS.key()
                  + " has no effect: "
                  + DaemonSettings.AUTHENTICATION.key()
                  + " is not true, 1 or yes");
    }
    Hangup hangup = Server.hasFiles(settings) ? Hangup.caught() : null;
    LogLines.use(session().settings().options().get(DaemonSettings.LOG_FORMAT).equals("json"));
    LOG.log(Level.INFO, "hourstone {0} on Java {1}", Version.build(), Runtime.version());
    Path file = session().settings().file();
    LOG.log(
        Level.INFO, file == null ? "no file of settings" : "settings: " + file.toAbsolutePath());
    ServerOptions options =
        GivenSettings.given(() -> ServerOptions.of(session().settings().options()));
    if (!options.address().getAddress().isLoopbackAddress()
        && !session().settings().options().get(DaemonSettings.AUTHENTICATION)) {
      session()
          .report(
              "every client that reaches "
                  + options.address().getAddress().getHostAddress()
                  + " may read, write and delete: there is no authentication");
    }
    checkIsFree(options.address());
    String shortage = Descriptors.shortage(true);
    if (!shortage.isEmpty()) {
      throw new CommandException(shortage);
    }
    try (Tsdb db = session().store().open()) {
      session().ending().countsStored(db.writer()::stored);
      session().ending().serves();
      try (Server server = start(db, options)) {
        if (hangup != null) {
          hangup.runs(() -> reload(server));
        }
        server.whenAskedToStop(session().ending()::stopServing);
        out().line("serving " + session().settings().storeUri() + " on " + text(server.address()));
        out().flush();
        if (session().settings().options().get(DaemonSettings.WARM_UP)) {
          server.warmUp();
        }
        session().ending().serveUntilStopped();
      }
    }
    return true;
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
    return new CommandException("can't listen on " + text(address) + ": " + Problem.reason(e), e);
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
