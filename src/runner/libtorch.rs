//! Calls functions of libtorch that tch does not wrap. [`crate::serve`] and [`crate::precision`] each have one more unsafe call.
//!
//! Functions are looked up by their mangled C++ names, which are fixed for libtorch 2.11.0; if a name is missing, the
//! feature is reported as unsupported and nothing crashes.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;

use dlbench_protocol::SystemUsage;
use tch::{Device, Kind, Tensor};

/// `c10::DeviceType::CPU` and `CUDA` (c10/core/DeviceType.h).
const CPU: i8 = 0;
const CUDA: i8 = 1;

/// `c10::ScalarType` of the two 16-bit formats (c10/core/ScalarType.h).
const HALF: i8 = 5;
const BFLOAT16: i8 = 15;

/// The address of a function in the libraries loaded into this process; `None` if no library exports the name.
fn symbol(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: dlsym only looks the name up.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Loads libtorch's CUDA library from the CPU library's folder; `Ok(false)` if there is none, `Err` says why loading failed.
pub fn load_cuda() -> Result<bool, String> {
    let Some(folder) = folder() else { return Ok(false) };
    let path = folder.join("libtorch_cuda.so");
    if !path.exists() {
        return Ok(false);
    }
    let name = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|error| error.to_string())?;
    // SAFETY: the library's initialisers register its kernels with the CPU library of the same build, as they do for
    // `import torch`; no code of libtorch has run yet in this process.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if !handle.is_null() {
        return Ok(true);
    }
    // SAFETY: dlerror returns null or a string that is valid until this thread's next call.
    let error = unsafe {
        let error = libc::dlerror();
        if error.is_null() { "unknown error".into() } else { CStr::from_ptr(error).to_string_lossy().into_owned() }
    };
    Err(error)
}

/// The folder that libtorch was loaded from.
pub fn folder() -> Option<PathBuf> {
    let inside = symbol(c"_ZN2at11show_configB5cxx11Ev")?;
    // SAFETY: dladdr fills the struct with strings that live as long as the library.
    let file = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(inside, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_fname).to_string_lossy().into_owned()
    };
    let path = std::fs::canonicalize(file).ok()?;
    path.parent().map(PathBuf::from)
}

/// libtorch's own multi-line description of its build; empty if the function is missing.
pub fn build_configuration() -> String {
    /// `std::string` of libstdc++: pointer to the text, its length, and the 16-byte buffer for short strings.
    #[repr(C)]
    struct StdString {
        data: *const c_char,
        length: usize,
        short: [u8; 16],
    }
    let Some(function) = symbol(c"_ZN2at11show_configB5cxx11Ev") else { return String::new() };
    // SAFETY: by the System V ABI, `std::string at::show_config()` takes the address of its result as a hidden first
    // argument. The string is read and never freed: this runs once per process.
    unsafe {
        let function: extern "C" fn(*mut StdString) = std::mem::transmute(function);
        let mut text = std::mem::MaybeUninit::<StdString>::uninit();
        function(text.as_mut_ptr());
        let text = text.assume_init_ref();
        let bytes = std::slice::from_raw_parts(text.data.cast::<u8>(), text.length);
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// Switches automatic mixed precision on or off for a device; `false` if this libtorch lacks the functions.
pub fn set_autocast(device: Device, format: Kind, on: bool) -> bool {
    let kind = if device == Device::Cpu { CPU } else { CUDA };
    let format = if format == Kind::Half { HALF } else { BFLOAT16 };
    let enabled = symbol(c"_ZN2at8autocast20set_autocast_enabledEN3c1010DeviceTypeEb");
    let chosen = symbol(c"_ZN2at8autocast18set_autocast_dtypeEN3c1010DeviceTypeENS1_10ScalarTypeE");
    let (Some(enabled), Some(chosen)) = (enabled, chosen) else { return false };
    // SAFETY: `void set_autocast_enabled(DeviceType, bool)` and `void set_autocast_dtype(DeviceType, ScalarType)`,
    // whose enums are bytes (ATen/autocast_mode.h of libtorch 2.11.0).
    unsafe {
        let enabled: extern "C" fn(i8, bool) = std::mem::transmute(enabled);
        let chosen: extern "C" fn(i8, i8) = std::mem::transmute(chosen);
        chosen(kind, format);
        enabled(kind, on);
    }
    true
}

/// Clears the cache of cast weights, as leaving Python's `torch.autocast` does.
pub fn clear_autocast() {
    if let Some(function) = symbol(c"_ZN2at8autocast11clear_cacheEv") {
        // SAFETY: `void clear_cache()`.
        unsafe { std::mem::transmute::<*mut c_void, extern "C" fn()>(function)() }
    }
}

/// `at::_ops::_amp_foreach_non_finite_check_and_unscale_::call(TensorList, Tensor &, const Tensor &)`.
const UNSCALE: &CStr =
    c"_ZN2at4_ops42_amp_foreach_non_finite_check_and_unscale_4callEN3c108ArrayRefINS_6TensorEEERS4_RKS4_";

/// Whether [`unscale`] can be called.
pub fn can_unscale() -> bool {
    symbol(UNSCALE).is_some()
}

/// Multiplies the tensors by `by` in place, and sets `found_overflow` to 1 if any element is not finite. tch does not wrap this
/// operation because it modifies the tensors of a list.
pub fn unscale(tensors: &[Tensor], found_overflow: &mut Tensor, by: &Tensor) {
    /// `c10::ArrayRef<at::Tensor>`: pointer to the tensors, and their number.
    #[repr(C)]
    struct TensorList {
        data: *const *const c_void,
        length: usize,
    }
    type Unscale = extern "C-unwind" fn(TensorList, *mut c_void, *const c_void);
    let Some(function) = symbol(UNSCALE) else { return };
    // SAFETY: a `Tensor` of tch points to an `at::Tensor`, which is a single reference-counted pointer. The pointers are copied
    // without raising the count; the function only reads the list, and `tensors` keeps them alive. By the System V ABI the two-word
    // list is passed by value and references as pointers. A C++ exception unwinds like a panic.
    unsafe {
        let contents: Vec<*const c_void> =
            tensors.iter().map(|tensor| *tensor.as_ptr().cast::<*const c_void>()).collect();
        let list = TensorList { data: contents.as_ptr(), length: contents.len() };
        let function: Unscale = std::mem::transmute(function);
        function(list, found_overflow.as_mut_ptr().cast(), by.as_ptr().cast());
    }
}

/// Reads a libtorch setting through a method of `at::Context` that returns one byte.
fn setting(method: &CStr) -> Option<u8> {
    let (context, method) = (symbol(c"_ZN2at13globalContextEv")?, symbol(method)?);
    // SAFETY: `Context &at::globalContext()`, and methods without arguments that return a bool or a one-byte enum (ATen/Context.h
    // of libtorch 2.11.0).
    unsafe {
        let context: extern "C" fn() -> *const c_void = std::mem::transmute(context);
        let method: extern "C-unwind" fn(*const c_void) -> u8 = std::mem::transmute(method);
        Some(method(context()))
    }
}

/// Whether cuDNN benchmarks its algorithms and uses the fastest.
pub fn benchmarks_cudnn() -> Option<bool> {
    setting(c"_ZNK2at7Context14benchmarkCuDNNEv").map(|on| on != 0)
}

/// Whether fp16 products may be accumulated in fp16.
pub fn sums_in_half(on_gpu: bool) -> Option<bool> {
    match on_gpu {
        // at::CuBLASReductionOption: 0 allows it.
        true => setting(c"_ZNK2at7Context24allowFP16ReductionCuBLASEv").map(|option| option == 0),
        false => setting(c"_ZNK2at7Context21allowFP16ReductionCPUEv").map(|on| on != 0),
    }
}

/// Whether bf16 products may be accumulated in bf16 on a GPU.
pub fn sums_in_bfloat16() -> Option<bool> {
    setting(c"_ZNK2at7Context24allowBF16ReductionCuBLASEv").map(|option| option == 0)
}

/// Whether fp32 products are computed in fp32: at::Float32MatmulPrecision is HIGHEST, its first value.
pub fn computes_float32_exactly() -> Option<bool> {
    setting(c"_ZNK2at7Context22float32MatmulPrecisionEv").map(|precision| precision == 0)
}

/// Names and versions of cuDNN and cuBLAS, if the CUDA library is loaded.
pub fn gpu_kernels() -> Option<String> {
    let cudnn = symbol(c"cudnnGetVersion").map(|function| {
        // SAFETY: `size_t cudnnGetVersion(void)`.
        let number = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> usize>(function)() };
        // cuDNN encodes 9.19.0 as 91900.
        format!("cuDNN {}.{}.{}", number / 10_000, number % 10_000 / 100, number % 100)
    });
    let cublas = symbol(c"cublasGetProperty").and_then(|function| {
        // SAFETY: `cublasStatus_t cublasGetProperty(libraryPropertyType, int *)`; types 0, 1, 2 are major, minor, patch level.
        let function: extern "C" fn(c_int, *mut c_int) -> c_int = unsafe { std::mem::transmute(function) };
        let part = |which| {
            let mut value = 0;
            (function(which, &mut value) == 0).then_some(value)
        };
        Some(format!("cuBLAS {}.{}.{}", part(0)?, part(1)?, part(2)?))
    });
    let named: Vec<String> = cudnn.into_iter().chain(cublas).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// A pair of CUDA events that times work on the GPU's own clock.
pub struct Events {
    start: *mut c_void,
    end: *mut c_void,
    record: RecordEvent,
    synchronize: SynchronizeEvent,
    elapsed: ElapsedBetween,
}

/// `cudaEventRecord(event, stream)`, `cudaEventSynchronize(event)`, `cudaEventElapsedTime(&ms, start, end)`.
type RecordEvent = extern "C" fn(*mut c_void, *mut c_void) -> c_int;
type SynchronizeEvent = extern "C" fn(*mut c_void) -> c_int;
type ElapsedBetween = extern "C" fn(*mut f32, *mut c_void, *mut c_void) -> c_int;

impl Events {
    /// `None` if no CUDA runtime is loaded.
    pub fn new() -> Option<Self> {
        let [create, record, synchronize, elapsed] =
            [c"cudaEventCreate", c"cudaEventRecord", c"cudaEventSynchronize", c"cudaEventElapsedTime"].map(symbol);
        // SAFETY: the signatures are those of the CUDA runtime API.
        unsafe {
            let create: extern "C" fn(*mut *mut c_void) -> c_int = std::mem::transmute(create?);
            let mut events = Self {
                start: std::ptr::null_mut(),
                end: std::ptr::null_mut(),
                record: std::mem::transmute::<*mut c_void, RecordEvent>(record?),
                synchronize: std::mem::transmute::<*mut c_void, SynchronizeEvent>(synchronize?),
                elapsed: std::mem::transmute::<*mut c_void, ElapsedBetween>(elapsed?),
            };
            let made = create(&mut events.start) == 0 && create(&mut events.end) == 0;
            made.then_some(events)
        }
    }

    /// Records the start event on the default stream, which libtorch uses unless another is selected.
    pub fn begin(&self) {
        (self.record)(self.start, std::ptr::null_mut());
    }

    /// Records the end event, waits for it, and returns the time since the start event in ns.
    pub fn end(&self) -> Option<u64> {
        let mut ms = 0f32;
        let done = (self.record)(self.end, std::ptr::null_mut()) == 0
            && (self.synchronize)(self.end) == 0
            && (self.elapsed)(&mut ms, self.start, self.end) == 0;
        done.then_some((f64::from(ms) * 1e6) as u64)
    }
}

/// Page faults and system time of this process so far; `None` if `getrusage` fails.
pub fn system_usage() -> Option<SystemUsage> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: getrusage fills the struct, and returns 0 if it has.
    let usage = unsafe {
        if libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) != 0 {
            return None;
        }
        usage.assume_init()
    };
    let system_ns = usage.ru_stime.tv_sec as u64 * 1_000_000_000 + usage.ru_stime.tv_usec as u64 * 1000;
    Some(SystemUsage { minor_faults: usage.ru_minflt as u64, major_faults: usage.ru_majflt as u64, system_ns })
}

/// The PCI address of the GPU with this CUDA ordinal, such as `0000:3b:00.0`.
pub fn pci_address(ordinal: i32) -> Option<String> {
    let function = symbol(c"cudaDeviceGetPCIBusId")?;
    let mut text: [c_char; 32] = [0; 32];
    // SAFETY: `cudaDeviceGetPCIBusId(char *, int length, int device)` writes a NUL-terminated string within the length.
    unsafe {
        let function: extern "C" fn(*mut c_char, c_int, c_int) -> c_int = std::mem::transmute(function);
        let done = function(text.as_mut_ptr(), 32, ordinal) == 0;
        done.then(|| CStr::from_ptr(text.as_ptr()).to_string_lossy().to_lowercase())
    }
}

/// Free and total memory of the selected GPU, in bytes.
pub fn gpu_memory() -> Option<(usize, usize)> {
    let function = symbol(c"cudaMemGetInfo")?;
    let (mut free, mut total) = (0, 0);
    // SAFETY: `cudaMemGetInfo(size_t *, size_t *)`.
    let done = unsafe {
        let function: extern "C" fn(*mut usize, *mut usize) -> c_int = std::mem::transmute(function);
        function(&mut free, &mut total) == 0
    };
    done.then_some((free, total))
}

/// Selects the GPU that the functions above use.
pub fn select_gpu(ordinal: i32) {
    if let Some(function) = symbol(c"cudaSetDevice") {
        // SAFETY: `cudaSetDevice(int)`.
        unsafe { std::mem::transmute::<*mut c_void, extern "C" fn(c_int) -> c_int>(function)(ordinal) };
    }
}
