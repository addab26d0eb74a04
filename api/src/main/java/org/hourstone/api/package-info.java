/**
 * OpenTSDB's HTTP API and telnet commands without their transport: requests as text in, answers as
 * text out. A daemon, a test or a tool brings the network.
 */
@NullMarked
package org.hourstone.api;

import org.jspecify.annotations.NullMarked;
