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
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A workload in the forms in which clients send it, and the clients: one connection each. */
enum PeerInput {
  /** Lines of telnet, as {@code nc} sends a file of them. */
  TELNET {
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

  /** Requests of {@code /api/put}, each with its length before it. */
  JSON {
    @Override
    void write(BufferedReader lines, long count, DataOutputStream out) throws IOException {
      for (long left = count; left > 0; left -= POINTS_PER_BODY) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < Math.min(left, POINTS_PER_BODY); i++) {
          body.append(i == 0 ? '[' : ',').append(json(Objects.requireNonNull(lines.readLine())));
        }
        byte[] request = HttpConnection.post("/api/put", body.append(']').toString());
        out.writeInt(request.length);
        out.write(request);
      }
    }

    @Override
    void send(Path input, Peer to) throws IOException {
      try (DataInputStream in =
              new DataInputStream(new BufferedInputStream(Files.newInputStream(input), 1 << 20));
          HttpConnection connection = new HttpConnection(to.putPort())) {
        while (in.available() > 0) {
          byte[] empty = connection.ask(in.readNBytes(in.readInt()));
          if (empty.length > 0) {
            throw new IOException(to + " replied " + new String(empty, US_ASCII));
          }
        }
      }
    }
  };

  private static final int POINTS_PER_BODY = 500;
  private static final int MAX_REPLY = 1000;
  private static final int PATIENCE_MILLIS = 120_000;

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

  abstract void write(BufferedReader lines, long count, DataOutputStream out) throws IOException;

  /** Sends such a file, and returns when all of it is received. */
  abstract void send(Path input, Peer to) throws IOException;

  /** The point of an import line. */
  static String json(String line) {
    String[] words = line.split(" ");
    StringBuilder body = new StringBuilder("{\"metric\":\"").append(words[0]);
    body.append("\",\"timestamp\":").append(words[1]).append(",\"value\":").append(words[2]);
    body.append(",\"tags\":{");
    for (int i = 3; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      body.append(i == 3 ? "\"" : ",\"").append(words[i], 0, equals).append("\":\"");
      body.append(words[i], equals + 1, words[i].length()).append('"');
    }
    return body.append("}}").toString();
  }
}
