package org.hourstone.tsd;

import picocli.CommandLine.Command;

/** {@code search}. */
@Command(
    name = "search",
    synopsisSubcommandLabel = "lookup",
    description = "Finds series.",
    footer = {"  hourstone search lookup sys.cpu.user host=web01"})
final class SearchCommand {}
