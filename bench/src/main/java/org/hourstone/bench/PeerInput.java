package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A workload in the forms in which clients send it, and the clients: one connection each. */
enum PeerInput {
  /** Lines of telnet, as {@code nc} sends a file of them. */
  TELNET("", "", 0) {
    @Override
    void write(BufferedReader lines, long count, DataOutputStream out) throws IOException {
      for (long i = 0; i < count; i++) {
        out.writeBytes("put " + lines.readLine() + "\n");
      }
    }

    @Override
    void send(Path input, Peer to) throws IOException {
      try (InputStream in = Files.newInputStream(input);
          Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.telnetPort())) {
        socket.setSoTimeout(PATIENCE_MILLIS);
        byte[] some = new byte[1 << 20];
        for (int n = in.read(some); n > 0; n = in.read(some)) {
          socket.getOutputStream().write(some, 0, n);
        }
        socket.shutdownOutput();
        byte[] reply = socket.getInputStream().readNBytes(MAX_REPLY);
        if (reply.length > 0) {
          throw new IOException(to + " replied " + new String(reply, US_ASCII));
        }
      }
    }
  },

  /** Bodies of {@code /api/put}. */
  JSON("/api/put", "Content-Type: application/json", 500) {
    @Override
    int port(Peer to) {
      return to.putPort();
    }
  },

  /** InfluxDB's line protocol, a thousand lines a request if a line has ten fields. */
  INFLUX("/write", "Content-Type: text/plain; charset=utf-8", 10_000),

  /** Prometheus' remote write 1.0, with as many samples a request as it sends by default. */
  REMOTE_WRITE(
      "/api/v1/write",
      "Content-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\n"
          + "X-Prometheus-Remote-Write-Version: 0.1.0",
      2_000),

  /** OpenTelemetry's protocol over HTTP. The peer's version has none: it gets remote writes. */
  OTLP("/v1/metrics", "Content-Type: application/x-protobuf", 2_000) {
    @Override
    PeerInput ofPeer() {
      return REMOTE_WRITE;
    }
  };

  private static final int MAX_REPLY = 1000;
  private static final int PATIENCE_MILLIS = 120_000;

  private final String path;
  private final String headers;
  private final int pointsPerRequest;

  PeerInput(String path, String headers, int pointsPerRequest) {
    this.path = path;
    this.headers = headers;
    this.pointsPerRequest = pointsPerRequest;
  }

  private byte[] body(List<String> points) {
    return switch (this) {
      case TELNET -> throw new IllegalStateException("lines are no requests");
      case JSON -> RequestBody.json(points);
      case INFLUX -> RequestBody.influx(points);
      case REMOTE_WRITE -> RequestBody.remoteWrite(points);
      case OTLP -> RequestBody.otlp(points);
    };
  }

  /** Writes the workload in this form to two files: its first points, and the others. */
  List<Path> write(Path lines, long points, Path directory) throws IOException {
    long all;
    try (Stream<String> counted = Files.lines(lines, US_ASCII)) {
      all = counted.count();
    }
    List<Path> halves = List.of(directory.resolve(name() + 1), directory.resolve(name() + 2));
    try (BufferedReader in = Files.newBufferedReader(lines, US_ASCII)) {
      for (Path half : halves) {
        try (DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(half), 1 << 20))) {
          write(in, half.equals(halves.get(0)) ? points : all - points, out);
        }
      }
    }
    return halves;
  }

  /** Writes points: here as requests, each with its length before it. */
  void write(BufferedReader lines, long count, DataOutputStream out) throws IOException {
    List<String> points = new ArrayList<>();
    for (long i = 1; i <= count; i++) {
      points.add(Objects.requireNonNull(lines.readLine()));
      if (points.size() == pointsPerRequest || i == count) {
        byte[] request = HttpConnection.post(path, headers, body(points));
        out.writeInt(request.length);
        out.write(request);
        points.clear();
      }
    }
  }

  /** Sends such a file, and returns when all of it is received. */
  void send(Path input, Peer to) throws IOException {
    try (DataInputStream in =
            new DataInputStream(new BufferedInputStream(Files.newInputStream(input), 1 << 20));
        HttpConnection connection = new HttpConnection(port(to))) {
      while (in.available() > 0) {
        byte[] empty = connection.ask(in.readNBytes(in.readInt()));
        if (empty.length > 0) {
          throw new IOException(to + " replied " + new String(empty, US_ASCII));
        }
      }
    }
  }

  int port(Peer to) {
    return to.queryPort();
  }

  /** What the peer is sent instead, if it doesn't know this. */
  PeerInput ofPeer() {
    return this;
  }
}
