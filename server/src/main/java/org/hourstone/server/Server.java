package org.hourstone.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hourstone.DaemonSettings;
import org.hourstone.RetentionSettings;
import org.hourstone.RollupSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.api.request.Build;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.status.Jobs;
import org.hourstone.api.status.RecentFigures;
import org.hourstone.mirror.Mirror;
import org.hourstone.retention.Retention;
import org.hourstone.rollup.OwnRollups;
import org.jspecify.annotations.Nullable;

/**
 * Serves a database over OpenTSDB's HTTP API and telnet-style protocol, on one port: the first byte
 * of a connection determines its protocol. Thread-safe. Closing leaves the database open.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failure to send ends the connection
public final class Server implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");
  private static final String NO_TELNET =
      "authentication is required: use HTTP, or set hourstone.auth.allow_telnet";
  private static final String TOO_MANY = "too many connections; try again";
  private static final int MAX_REQUEST_LINE = 64 * 1024;
  private static final int MAX_HEADERS = 32 * 1024;

  /**
   * As large as one read of the connection, since each smaller part would pass through all
   * handlers.
   */
  private static final int MAX_CHUNK = 64 * 1024;

  private static final int NETWORK_THREADS =
      Math.max(2, Runtime.getRuntime().availableProcessors());

  private static final int HANDSHAKE_THREADS = NETWORK_THREADS / 2;

  private final ServerOptions options;
  private final HostNames hosts;
  private final Connections connections;
  private final ClientLimits limits;
  private final RequestThreads threads;
  private final PrometheusRegistry meters = new PrometheusRegistry();
  private final HttpMetrics metrics = new HttpMetrics(meters);
  private final SelfMonitor monitor;
  private final Refusals refusals = new Refusals();
  private final RecentFigures recent;
  private final Reload reload;
  private final @Nullable Mirror mirror;
  private final Jobs jobs;
  private final EventLoopGroup network;
  private final ExecutorService handshakes =
      Executors.newFixedThreadPool(
          HANDSHAKE_THREADS, new DefaultThreadFactory("hourstone-handshake", true));
  private final RecentLog log = RecentLog.open();
  private final LoggedOutOfMemory outOfMemory = LoggedOutOfMemory.watch("io.netty");
  private final Channel listener;
  private volatile Runnable whenAskedToStop = () -> {};
  private volatile @Nullable WarmUp warmUp;

  private final Retention retention;
  private final Optional<OwnRollups> rollups;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Server(Tsdb db, Build build, ServerOptions options, Plotter plotter, JobCommands commands)
      throws IOException {
    TsdbOptions settings = db.engine().options();
    this.hosts = HostNames.of(settings); // before there is anything to close
    Cors cors = Cors.of(settings);
    this.reload = new Reload(settings);
    this.mirror = Mirror.open(db, settings); // its queue is closed by the database
    Authentication authentication = reload.authentication();
    this.options = options;
    this.limits = new ClientLimits(options.bodies().memory());
    Descriptors descriptors = Descriptors.ofProcess();
    this.connections =
        new Connections(
            descriptors.connections(options.maxConnections()),
            descriptors.refused(),
            limits,
            reload.tls() != null);
    this.threads = new RequestThreads(options.requests().threads(), options.requests().waiting());
    this.jobs = new Jobs(settings.clock());
    ServerInfo info = info(build);
    this.recent = new RecentFigures(db, refusals, settings.clock());
    Api api = new Api(db, info, plotter, refusals, jobs, commands);
    Telnet telnet = new Telnet(db, info, refusals);
    this.network =
        new NioEventLoopGroup(NETWORK_THREADS, new DefaultThreadFactory("hourstone-network", true));
    Function<HttpRequest, ClientMemory> bodies =
        head -> limits.bodies(authentication.isKnown(head));
    Shared shared =
        new Shared(
            api,
            new Pages(new MetricsPage(db, api, build, meters), recent, db::storeState),
            hosts,
            cors,
            authentication,
            settings.get(DaemonSettings.ALLOW_TELNET),
            metrics,
            threads,
            connections,
            options);
    logBuffering(db);
    this.monitor = new SelfMonitor(telnet, settings.get(DaemonSettings.SELF_MONITOR));
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(network)
            .channel(NioServerSocketChannel.class)
            .handler(new Accepting(limits))
            .option(ChannelOption.SO_BACKLOG, 3072)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    Tls tls = reload.tls();
                    ChannelPipeline pipeline =
                        channel
                            .pipeline()
                            .addLast(connections)
                            .addLast(new Intake(limits, tls != null));
                    if (tls != null) {
                      pipeline.addLast(
                          tls.handler(channel.alloc(), handshakes, connections, refusals));
                    }
                    pipeline.addLast(
                        new FirstByte(
                            to -> http(to, shared, bodies),
                            to -> telnet(to, telnet, shared),
                            () ->
                                refused(
                                    channel, RefusalReason.OVERLOADS, TOO_MANY, telnet, shared)));
                  }
                });
    try {
      this.listener = bootstrap.bind(options.address()).syncUninterruptibly().channel();
    } catch (Exception e) { // Netty throws the socket's checked exception without declaring it
      stopThreads();
      throw e instanceof IOException io ? io : new IOException(e);
    }
    if (mirror != null) {
      mirror.start();
    }
    this.retention = db.retention();
    retention.start(settings.get(RetentionSettings.RATE));
    this.rollups = db.ownRollups();
    rollups.ifPresent(own -> own.start(settings.get(RollupSettings.RATE)));
    if (rollups.isEmpty() && !settings.get(RollupSettings.AUTO).isBlank()) {
      LOG.log(
          Level.WARNING,
          "nothing is rolled up: the tables of rollups are missing, and may not be created ({0}) or"
              + " the store is read-only",
          Settings.CREATE_TABLES.key());
    }
  }

  /**
   * Starts a server as the settings of a database say: on {@link DaemonSettings#PORT} of {@link
   * DaemonSettings#BIND}, without pictures.
   *
   * @throws IOException if it can't listen on the address
   * @throws IllegalArgumentException if a setting is invalid, or the process may open too few files
   */
  public static Server start(Tsdb db) throws IOException {
    String version = Server.class.getPackage().getImplementationVersion();
    return start(
        db,
        Build.of(version == null ? "unknown" : version), // not in a jar of ours
        ServerOptions.of(db.engine().options()),
        Plotter.none());
  }

  /**
   * Starts a server.
   *
   * @param build the program, for its clients
   * @param plotter draws the pictures of {@code /q}
   * @throws IOException if it can't listen on the address
   * @throws IllegalArgumentException if a setting is invalid, or the process may open too few files
   */
  public static Server start(Tsdb db, Build build, ServerOptions options, Plotter plotter)
      throws IOException {
    return start(db, build, options, plotter, JobCommands.none());
  }

  /**
   * As {@link #start(Tsdb, Build, ServerOptions, Plotter)}, with commands that clients may have
   * executed as jobs.
   */
  public static Server start(
      Tsdb db, Build build, ServerOptions options, Plotter plotter, JobCommands commands)
      throws IOException {
    return new Server(db, build, options, plotter, commands);
  }

  private void http(
      ChannelPipeline pipeline, Shared shared, Function<HttpRequest, ClientMemory> bodies) {
    Intake intake = pipeline.get(Intake.class);
    HttpCodec codec =
        new HttpCodec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_REQUEST_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                .setMaxChunkSize(MAX_CHUNK)
                .setHeadersFactory(BoundedHeaders.factory())
                .setTrailersFactory(BoundedHeaders.factory()));
    UnparsedBytes heads = new UnparsedBytes(intake, options.patience().ofResponses(), codec);
    pipeline
        .addLast(new WriteTimeoutHandler(options.patience().ofResponses().toMillis(), MILLISECONDS))
        .addLast(heads)
        .addLast(codec)
        .addLast(heads.afterCodec())
        .addLast(new HalfClosedClient())
        .addLast(new ResponseCompressor())
        .addLast(
            new RequestReceiver(
                bodies,
                head -> shared.api().takesParts(RequestTarget.originForm(head.uri())),
                options))
        .addLast(new HttpConnection(shared, intake, heads));
  }

  private void telnet(ChannelPipeline pipeline, Telnet telnet, Shared shared) {
    Intake intake = pipeline.get(Intake.class);
    pipeline.addLast(
        shared.allowsTelnet()
            ? new TelnetConnection(telnet, threads, connections, intake, options.maxLine())
            : refused(pipeline.channel(), RefusalReason.FAILED_LOGINS, NO_TELNET, telnet, shared));
  }

  private static RefusedConnection refused(
      Channel channel, RefusalReason reason, String why, Telnet telnet, Shared shared) {
    return new RefusedConnection(
        why,
        new RefusedInput(
            shared.api(),
            telnet,
            shared.api().overloaded(why),
            reason,
            why,
            ClientAddress.of(channel)));
  }

  private ServerInfo info(Build build) {
    String host = host();
    return new ServerInfo() {
      @Override
      public Build build() {
        return build;
      }

      @Override
      public String host() {
        return host;
      }

      @Override
      public void stop() {
        whenAskedToStop.run();
      }

      @Override
      public List<String> reload() {
        return reload.run();
      }

      @Override
      public boolean isStopping() {
        return closed.get();
      }

      @Override
      public List<Statistic> statistics() {
        return Stream.of(
                connections.statistics(),
                limits.statistics(),
                metrics.statistics(),
                hosts.statistics(),
                reload.statistics(),
                jobs.statistics(),
                mirror == null ? List.<Statistic>of() : mirror.statistics())
            .flatMap(List::stream)
            .toList();
      }

      @Override
      public List<String> recentLog() {
        return log.lines();
      }
    };
  }

  /**
   * Logs that points of telnet are lost by a crash before they are stored, if a setting does it.
   */
  private static void logBuffering(Tsdb db) {
    TsdbOptions settings = db.engine().options();
    Duration buffered = db.engine().bufferedFor();
    boolean isChosen =
        settings.get(Settings.ENABLE_APPENDS) || settings.get(Settings.FLUSH_INTERVAL).isPresent();
    if (isChosen && !buffered.isZero()) {
      LOG.log(
          Level.INFO,
          "points that arrive by telnet are buffered for up to "
              + buffered.toSeconds()
              + " s before they are stored ("
              + Settings.ENABLE_APPENDS.key()
              + ", "
              + Settings.FLUSH_INTERVAL.key()
              + ")");
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /**
   * Sets the action for a client's request to stop the process.
   *
   * @param action must not wait for the server to close
   */
  public void whenAskedToStop(Runnable action) {
    whenAskedToStop = action;
  }

  /**
   * Prepares for requests in the background, since the first requests would otherwise take long.
   */
  public void warmUp() {
    warmUp = WarmUp.begin(reload.tls());
  }

  /** Whether a server has accounts or a certificate, whose files {@link #reload} reads again. */
  public static boolean hasFiles(TsdbOptions settings) {
    return Reload.hasFiles(settings);
  }

  /**
   * Reads the files of accounts and of the certificate again.
   *
   * @throws IllegalArgumentException if one of them can't be used; nothing has changed then, and
   *     the log has a line
   */
  public void reload() {
    List<String> unused = reload.run();
  }

  /** The mirror; null without one. */
  @Nullable Mirror mirror() {
    return mirror;
  }

  /** The address it listens on. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /**
   * Accepts no more connections and requests, and waits for requests in progress, up to a time
   * limit. Received points are handed over to the database before this returns. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    listener.close().syncUninterruptibly();
    jobs.stop();
    connections.stop();
    retention.stop();
    rollups.ifPresent(OwnRollups::stop);
    try {
      connections.awaitClosed(options.patience().ofStopping().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      jobs.close();
      stopThreads();
    }
  }

  private void stopThreads() {
    WarmUp begun = warmUp;
    if (begun != null) {
      begun.close();
    }
    monitor.close();
    if (mirror != null) {
      mirror.close();
    }
    recent.close();
    refusals.flush();
    log.close();
    outOfMemory.close();
    threads.close();
    network.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    handshakes.shutdown();
  }
}
