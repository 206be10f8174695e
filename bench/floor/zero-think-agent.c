/*
 * An agent that does not think: it accepts a prompt, does at once what the prompt asks, and waits for the next prompt.
 * The floor prototype and Baton run the same agent, so both measured times contain the same time of the agent itself.
 *
 * The agent draws the screen of the practice agent, takes bracketed pastes, writes a transcript, and reports its hooks
 * by itself in files like those of Baton's hook script. Before each action, the agent appends one line to the evidence
 * file:
 *
 *   KIND AGENT PID NANOSECONDS BYTES HASH REF
 *
 * KIND is ready, prompt, document or exit. NANOSECONDS is the monotonic clock, which Node reads as process.hrtime.
 *
 * The file .zero-think in the agent's working folder says where the agent writes, and how it behaves from the next
 * prompt on:
 *
 *   evidence PATH
 *   spool PATH
 *   no-stop             the agent sends no Stop after it has written a handoff document
 *   status              the agent reports its status in a file, as the practice agent does
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROMPT (1 << 17)

static char prompt[MAX_PROMPT + 1];
static size_t length;
static char quoted[6 * MAX_PROMPT + 1];
static char evidence[4096], spool[4096], transcript[4096], status_file[4096];
static const char *agent, *token, *session;
static int no_stop, with_status;
static long hooks;
static int prompts;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void read_behavior(void) {
  FILE *file = fopen(".zero-think", "r");
  char line[4096];
  no_stop = with_status = 0;
  if (!file) return;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "evidence ", 9)) snprintf(evidence, sizeof evidence, "%s", line + 9);
    else if (!strncmp(line, "spool ", 6)) snprintf(spool, sizeof spool, "%s", line + 6);
    else if (!strcmp(line, "no-stop")) no_stop = 1;
    else if (!strcmp(line, "status")) with_status = 1;
  }
  fclose(file);
}

static void append(const char *path, const char *text, size_t bytes) {
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file < 0) return;
  if (write(file, text, bytes) < 0) _exit(3);
  close(file);
}

static uint64_t fnv(const char *text, size_t bytes) {
  uint64_t hash = 14695981039346656037ULL;
  for (size_t at = 0; at < bytes; at++) hash = (hash ^ (unsigned char)text[at]) * 1099511628211ULL;
  return hash;
}

/* Copies REF of the last mark `[baton:REF]` in the prompt, or `-` if the prompt has no such mark. */
static void find_ref(char *ref, size_t size) {
  const char *found = NULL;
  for (const char *at = prompt; (at = strstr(at, "[baton:")); at += 7) found = at + 7;
  snprintf(ref, size, "%.*s", found ? (int)strcspn(found, "]") : 1, found ? found : "-");
}

static void testify(const char *kind, long long at) {
  char line[512], ref[128];
  find_ref(ref, sizeof ref);
  int bytes = snprintf(line, sizeof line, "%s %s %d %lld %zu %016llx %s\n", kind, agent, getpid(), at, length,
                       (unsigned long long)fnv(prompt, length), ref);
  append(evidence, line, bytes);
}

/* One file per hook, written under a hidden name and renamed, as Baton's hook script does. */
static void hook(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
#include <stdarg.h>
static char body[6 * MAX_PROMPT + 8192];
static void hook(const char *event, const char *format, ...) {
  char hidden[4200], shown[4200];
  long n = 1000000000L + hooks++;
  snprintf(hidden, sizeof hidden, "%s/.%s-%ld-%d", spool, agent, n, getpid());
  snprintf(shown, sizeof shown, "%s/%s-%ld-%d", spool, agent, n, getpid());
  int bytes = snprintf(body, sizeof body, "baton1 %s %s %d -\n", token, event, getpid());
  va_list values;
  va_start(values, format);
  bytes += vsnprintf(body + bytes, sizeof body - bytes, format, values);
  va_end(values);
  int file = open(hidden, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (write(file, body, bytes) < 0) _exit(3);
  close(file);
  rename(hidden, shown);
}

#define COMMON "{\"session_id\":\"%s\",\"transcript_path\":\"%s\",\"hook_event_name\":\"%s\""

static void quote(const char *text, size_t bytes) {
  char *to = quoted;
  for (size_t at = 0; at < bytes; at++) {
    unsigned char byte = text[at];
    if (byte == '"' || byte == '\\') to += sprintf(to, "\\%c", byte);
    else if (byte == '\n') to += sprintf(to, "\\n");
    else if (byte < 0x20) to += sprintf(to, "\\u%04x", byte);
    else *to++ = byte;
  }
  *to = 0;
}

static void say_status(const char *status) {
  if (!with_status || !*status_file) return;
  char stat[1024] = "", started[64] = "", draft[4200], text[256];
  int file = open("/proc/self/stat", O_RDONLY);
  if (file >= 0) {
    ssize_t got = read(file, stat, sizeof stat - 1);
    stat[got < 0 ? 0 : got] = 0;
    close(file);
  }
  /*
   * Field 22 of /proc/PID/stat is the start time. Count the fields from the last parenthesis, because the program name
   * in field 2 may contain blanks.
   */
  char *at = strrchr(stat, ')');
  for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
  if (at) snprintf(started, sizeof started, "%.*s", (int)strcspn(at + 1, " "), at + 1);
  int bytes = snprintf(text, sizeof text, "{\"pid\":%d,\"procStart\":\"%s\",\"status\":\"%s\"}", getpid(), started, status);
  snprintf(draft, sizeof draft, "%s.new", status_file);
  file = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (write(file, text, bytes) < 0) _exit(3);
  close(file);
  rename(draft, status_file);
}

#define RULE "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"

static void show(const char *text, size_t bytes) {
  if (write(1, text, bytes) < 0) _exit(3);
}

/* Draws the row of the composer, and leaves the cursor after the text. */
static void draw_composer(const char *shown) {
  char row[2048];
  int bytes = snprintf(row, sizeof row, "\x1b[4;1H\xe2\x9d\xaf\xc2\xa0%s\x1b[K", shown);
  show(row, bytes < (int)sizeof row ? bytes : (int)sizeof row - 1);
}

static void draw_screen(void) {
  const char *screen = "\x1b[?1049h\x1b[?7l\x1b[2J\x1b[1;1HZero-think agent\x1b[3;1H" RULE "\x1b[5;1H" RULE
                       "\x1b[6;1H  0% context used\x1b[?2004h";
  show(screen, strlen(screen));
  draw_composer("");
}

/* Shows a long paste as a placeholder with its number of line breaks, as the practice agent does. */
static void show_prompt(void) {
  size_t breaks = 0;
  for (size_t at = 0; at < length; at++) breaks += prompt[at] == '\n';
  char chip[1024];
  if (breaks == 0 && length <= 150) snprintf(chip, sizeof chip, "%.*s", (int)length, prompt);
  else snprintf(chip, sizeof chip, "[Pasted text #%d +%zu lines]", ++prompts, breaks);
  draw_composer(chip);
}

static const char DOCUMENT[] =
    "# Handoff\n\n## What I was working on\n\nI was working through the plan of the project: the last item I finished is the "
    "parser of the settings file, and the next one is its error messages.\n\n"
    "## Progress and state\n\n- Done: the parser reads every key of the settings file\n- Done: the tests of the parser pass\n\n"
    "## Decisions and why\n\n- I kept unknown keys in the file, because an older version of the program may still read them\n\n"
    "## Blockers\n\nNothing blocks me.\n\n## Files modified\n\nI modified no files.\n\n"
    "## Next steps\n\n1. Word the error messages of the parser\n2. Ask the operator whether a missing file is an error\n\n";

/* Finds the path of the handoff document in the prompt: the first line that is only an absolute path with `.md`. */
static int find_path(char *path, size_t size) {
  for (const char *line = prompt; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    const char *begin = line + strspn(line, " ");
    size_t bytes = strcspn(begin, "\n");
    if (*begin != '/' || bytes < 4 || strncmp(begin + bytes - 3, ".md", 3) || bytes >= size) continue;
    snprintf(path, size, "%.*s", (int)bytes, begin);
    return 1;
  }
  return 0;
}

static const char MARKER[] = "<!-- handoff-end:";

static int end_token(const char *text, char *found, size_t size) {
  const char *last = NULL;
  for (const char *at = text; (at = strstr(at, MARKER)); at += sizeof MARKER - 1) last = at + sizeof MARKER - 1;
  if (!last) return 0;
  snprintf(found, size, "%.*s", (int)strcspn(last, " "), last);
  return 1;
}

static int write_document(const char *path, const char *end) {
  char text[sizeof DOCUMENT + 256];
  int bytes = snprintf(text, sizeof text, "%s%s%s -->\n", DOCUMENT, MARKER, end);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return 0;
  if (write(file, text, bytes) < 0) _exit(3);
  close(file);
  testify("document", now());
  return 1;
}

static void acknowledge(const char *path, long run) {
  static char text[MAX_PROMPT];
  char proof[256];
  int file = open(path, O_RDONLY);
  if (file < 0) return;
  ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  text[bytes < 0 ? 0 : bytes] = 0;
  if (end_token(text, proof, sizeof proof))
    hook("Acknowledge", "{\"run_id\":%ld,\"proof\":\"%s\",\"task\":\"I word the error messages of the parser.\"}", run, proof);
}

static void leave(void) {
  testify("exit", now());
  hook("SessionEnd", COMMON ",\"reason\":\"prompt_input_exit\"}", session, transcript, "SessionEnd");
  if (*status_file) unlink(status_file);
  show("\x1b[?2004l\x1b[?1049l", 16);
  exit(0);
}

static void submit(void) {
  long long at = now();
  prompt[length] = 0;
  if (!strcmp(prompt, "/exit")) leave();
  draw_composer("");
  testify("prompt", at);
  read_behavior();
  say_status("busy");
  char id[64], path[4096], end[256];
  snprintf(id, sizeof id, "%d-%lld", getpid(), at);
  quote(prompt, length);
  static char line[6 * MAX_PROMPT + 1024];
  int bytes = snprintf(line, sizeof line, "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},\"sessionId\":\"%s\"}\n", quoted, session);
  append(transcript, line, bytes);
  hook("UserPromptSubmit", COMMON ",\"prompt_id\":\"%s\",\"prompt\":\"%s\"}", session, transcript, "UserPromptSubmit", id, quoted);
  const char *acknowledgment = strstr(prompt, "baton ack ");
  int stops = 1;
  if (acknowledgment && find_path(path, sizeof path)) acknowledge(path, atol(acknowledgment + 10));
  else if (end_token(prompt, end, sizeof end) && find_path(path, sizeof path)) stops = !(write_document(path, end) && no_stop);
  say_status("idle");
  if (stops) hook("Stop", COMMON ",\"prompt_id\":\"%s\",\"background_tasks\":[]}", session, transcript, "Stop", id);
  length = 0;
}

static void take(unsigned char byte) {
  static const char BEGIN[] = "\x1b[200~", END[] = "\x1b[201~";
  static int pasting;
  if (byte == '\r' && !pasting) return submit();
  if (length == MAX_PROMPT) _exit(4);
  prompt[length++] = byte;
  if (length < 6 || byte != '~') return;
  if (!pasting && !memcmp(prompt + length - 6, BEGIN, 6)) {
    pasting = 1;
    length -= 6;
  } else if (pasting && !memcmp(prompt + length - 6, END, 6)) {
    pasting = 0;
    length -= 6;
    show_prompt();
  }
}

int main(int argc, char **argv) {
  struct termios terminal;
  if (!tcgetattr(0, &terminal)) {
    cfmakeraw(&terminal);
    tcsetattr(0, TCSANOW, &terminal);
  }
  agent = getenv("BATON_AGENT_ID") ?: "0";
  token = getenv("BATON_AGENT_TOKEN") ?: "-";
  session = "-";
  for (int at = 1; at + 1 < argc; at++)
    if (!strcmp(argv[at], "--session-id")) session = argv[at + 1];
  const char *log = getenv("BATON_PRACTICE_LOG") ?: "zero-think.jsonl";
  snprintf(transcript, sizeof transcript, "%.*s.transcript.jsonl", (int)(strlen(log) - 6), log);
  read_behavior();
  const char *folder = getenv("BATON_PRACTICE_SESSIONS");
  if (folder) {
    mkdir(folder, 0700);
    snprintf(status_file, sizeof status_file, "%s/%d.json", folder, getpid());
  }
  draw_screen();
  say_status("idle");
  testify("ready", now());
  hook("SessionStart", COMMON ",\"source\":\"startup\"}", session, transcript, "SessionStart");
  unsigned char input[65536];
  for (ssize_t got; (got = read(0, input, sizeof input)) > 0;)
    for (ssize_t at = 0; at < got; at++) take(input[at]);
  return 0;
}
