# Every target forwards to the script of its name in Scripts/, which can be run by itself just as well. Options of the
# script are handed on: make bench ARGS=--quick

.DEFAULT_GOAL := test
.PHONY: demo test lint format bench fault fuzz docs install

demo test lint format bench fault fuzz docs:
	@if [ ! -x Scripts/$@ ]; then \
		echo "make $@: not there yet (there is no Scripts/$@)" >&2; \
		exit 2; \
	fi
	@Scripts/$@ $(ARGS)

# make install PREFIX=/usr/local; DESTDIR for packagers.
PREFIX ?= /usr/local
install:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install
