# make                                 build libmodel.a, whose interface is model.h
# make PROCESSOR="-mcpu=cortex-m7 …"   for another processor, or with CC=… another compiler

CC = @COMPILER@
AR = @ARCHIVER@
PROCESSOR = @PROCESSOR@
OPTIMISE = @OPTIMISE@

# The results depend on these options: integers wrap, a product and a sum are rounded separately, and memory may hold
# values of different types in turn. The last two only say that nothing reads errno or the floating-point exceptions.
MEANING = -std=gnu99 -fwrapv -ffp-contract=off -fno-strict-aliasing -fno-math-errno -fno-trapping-math
COMPILE = $(CC) $(PROCESSOR) $(CPPFLAGS) $(MEANING) $(OPTIMISE) -ffreestanding -ffunction-sections -fdata-sections $(CFLAGS)
OBJECTS = @OBJECTS@

libmodel.a: $(OBJECTS)
	$(AR) rcs $@ $(OBJECTS)

%.o: %.c model.h
	$(COMPILE) -c -o $@ $<

clean:
	rm -f libmodel.a *.o

.PHONY: clean
